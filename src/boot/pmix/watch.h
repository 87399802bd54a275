/* The failure detector's thread. */
#ifndef COPAL_PMIX_WATCH_H
#define COPAL_PMIX_WATCH_H

void watch_start(void (*died)(int pe, const char *why));
void watch_end(void);

#endif
