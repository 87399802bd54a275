/* Numbers a group's synchronizations: each PE enters those of all its groups in the same order. */
#ifndef COPAL_RACES_MEETING_H
#define COPAL_RACES_MEETING_H

#include <stdint.h>

uint32_t meeting_next(uint64_t group); /* the number of the one that this PE enters now; group is not 0 */
uint32_t meeting_last(uint64_t group); /* the number of the one that it entered last */

#endif
