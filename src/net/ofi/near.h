#pragma once

#include "net/ofi/ofi.h"

/* Selects, from `first` and the following entries with the same provider and fabric, a NIC whose link is up and that is
 * near this process's processors.  If there are several, nth, the PE's index on its node, selects one. */
const struct fi_info *near_adapter(const struct fi_info *first, int nth);
