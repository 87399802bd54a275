/* Which of a host's network adapters. */
#ifndef COPAL_OFI_NEAR_H
#define COPAL_OFI_NEAR_H

#include "net/ofi/ofi.h"

/* Of `first` and those behind it that are like it, on other adapters: one whose link is up, that is near the processors
 * of this process; and where there are several, nth, the PE's number on its node, says which. */
const struct fi_info *near_adapter(const struct fi_info *first, int nth);

#endif
