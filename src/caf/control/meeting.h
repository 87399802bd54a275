/* How all images of two or three nodes meet, and take along what each has put to other nodes. */
#ifndef COPAL_CAF_MEETING_H
#define COPAL_CAF_MEETING_H

#include "../caf.h"

/* Called in this order by caf_init, with barriers between them. */
void caf_meeting_begin(void);
void caf_meeting_find_nodes(void);

/* Whether all images meet so, in every synchronization of them all. */
extern bool caf_meets;

/* Tells the next image a word; the result is what the one before has told. When it returns, what any image has held
 * back has been made. */
uint64_t caf_meeting(uint64_t word);

#endif
