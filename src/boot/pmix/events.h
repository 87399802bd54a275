/* Events and reports of deaths. Only the watching thread calls these functions, except events_begin and events_end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The source of an event; number distinguishes sources of one kind. */
enum source { SOURCE_STOP, SOURCE_NEIGHBOUR, SOURCE_DOOR, SOURCE_GUEST, SOURCE_ATTEMPT, SOURCE_LINE };
struct event {
    enum source source;
    unsigned number;
};
enum { EVENTS = 16 }; /* the most events of one call of events_wait */

bool events_begin(void (*died)(int pe, const char *why));
void events_end(void);
void events_add(int fd, enum source source, unsigned number, uint32_t events);
int events_wait(struct event *at, int ms); /* returns the number of events, up to EVENTS */
void events_report(int pe, const char *why); /* once for each PE */
int64_t events_clock(void);                  /* ms */
