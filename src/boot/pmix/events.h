/* Events of the watching thread, and reports of deaths; all in that thread, except events_begin and events_end. */
#ifndef COPAL_PMIX_EVENTS_H
#define COPAL_PMIX_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* The source of an event; number distinguishes sources of one kind. */
enum source { SOURCE_STOP, SOURCE_NEIGHBOUR, SOURCE_DOOR, SOURCE_GUEST, SOURCE_ATTEMPT, SOURCE_LINE };
struct event {
    enum source source;
    unsigned number;
};
enum { EVENTS = 16 }; /* at a time, at most */

bool events_begin(void (*died)(int pe, const char *why));
void events_end(void);
void events_add(int fd, enum source source, unsigned number, uint32_t events);
int events_wait(struct event *at, int ms); /* up to EVENTS; the number of events */
void events_report(int pe, const char *why); /* once for each PE */
int64_t events_clock(void);                  /* ms */

#endif
