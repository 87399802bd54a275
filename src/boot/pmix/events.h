/* What the watching thread waits for, and whom it tells; all in that thread, but for events_begin and events_end. */
#ifndef COPAL_PMIX_EVENTS_H
#define COPAL_PMIX_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* What it is woken by; number tells those of one kind apart. */
enum source { SOURCE_STOP, SOURCE_NEIGHBOUR, SOURCE_DOOR, SOURCE_GUEST, SOURCE_ATTEMPT, SOURCE_LINE };
struct event {
    enum source source;
    unsigned number;
};
enum { EVENTS = 16 }; /* at a time, at most */

bool events_begin(void (*died)(int pe, const char *why));
void events_end(void);
void events_add(int fd, enum source source, unsigned number, uint32_t events);
int events_wait(struct event *at, int ms); /* EVENTS of them; how many have come */
void events_report(int pe, const char *why); /* once for each PE */
int64_t events_clock(void);                  /* ms */

#endif
