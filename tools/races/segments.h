/* Statements of coarray programs, as reported by tools/tap. */
#pragma once

#include "tap/tap.h"

void segments_before(struct tap_call *c);
void segments_after(struct tap_call *c);
