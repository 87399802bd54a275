/* Statements of coarray programs, as tools/tap tells of them. */
#ifndef COPAL_RACES_SEGMENTS_H
#define COPAL_RACES_SEGMENTS_H

#include "tap/tap.h"

void segments_before(struct tap_call *c);
void segments_after(struct tap_call *c);

#endif
