/* The end of a lifeline that watches, all in the watching thread but for line_close. */
#ifndef COPAL_PMIX_LIFELINE_H
#define COPAL_PMIX_LIFELINE_H

#include "boot/pmix/events.h"

void line_hold(void); /* from now on this PE holds its node's lifeline */
void line_close(void);
void line_event(enum source source, unsigned number);
int line_wait(void); /* ms until line_timeout is to be called; -1: no need */
void line_timeout(void);

#endif
