/* A NIC's atomic operations.  They are atomic only with respect to other atomics of the NIC: a NIC reads the word and
 * stores it later, so a store by a processor in between is lost, as on hardware. */
#pragma once

#include "item.h"

/* Returns false if the target's NIC is executing another atomic; the caller must retry. */
bool atomic_execute(struct item *it);
