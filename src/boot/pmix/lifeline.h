/* The watching end of a connection between nodes. Only the watching thread calls these functions, except line_close. */
#pragma once

#include "boot/pmix/events.h"

void line_hold(void); /* makes this PE its node's watcher */
void line_close(void);
void line_event(enum source source, unsigned number);
int line_wait(void); /* ms until the caller must call line_timeout; -1: no need */
void line_timeout(void);
