#ifndef COPAL_OFI_NEAR_H
#define COPAL_OFI_NEAR_H

#include "net/ofi/ofi.h"

/* Of `first` and the entries behind it with the same provider and fabric: one whose link is up and that is near the
 * processors of this process.  If there are several, nth, the PE's number on its node, selects one. */
const struct fi_info *near_adapter(const struct fi_info *first, int nth);

#endif
