/* Numbers a group's synchronizations: each PE enters the synchronizations of its groups in one order. */
#pragma once

#include <stdint.h>

uint32_t meeting_next(uint64_t group); /* the number of the synchronization that this PE enters; group is not 0 */
uint32_t meeting_last(uint64_t group); /* the number of the synchronization that it has entered last */
