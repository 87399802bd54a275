/* Statements of coarray programs, as reported by tools/tap. */
#ifndef COPAL_RACES_SEGMENTS_H
#define COPAL_RACES_SEGMENTS_H

#include "tap/tap.h"

void segments_before(struct tap_call *c);
void segments_after(struct tap_call *c);

#endif
