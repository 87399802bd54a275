/* A NIC's atomic operations.  They are atomic only among each other: a NIC reads the word and stores it later, so what
 * a processor stores in between is lost, as on hardware. */
#ifndef COPAL_EMU_ATOMIC_H
#define COPAL_EMU_ATOMIC_H

#include "item.h"

/* False: the target's NIC executes another atomic. */
bool atomic_execute(struct item *it);

#endif
