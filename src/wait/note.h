/* What this PE waits for, which it notes in the job file for oshrun to tell. */
#ifndef COPAL_NOTE_H
#define COPAL_NOTE_H

#include "job/job.h"

#include <stdbool.h>

struct wait {
    const char *routine; /* who waits: shown by oshrun --watch */
    int for_pe;          /* the PE waited for, or JOB_FOR_... */
    uintptr_t from, to;  /* addresses whose change ends the wait, as peers see them; 0, 0: any write to this PE */
    unsigned turns;
    unsigned slow_turns;
    unsigned refused; /* yields in succession that have given the processor to no other PE */
    uint32_t alerts; /* the last of them that this wait has told wait_alerted of */
    uint32_t told;   /* the last that it has told wait_sleeps of */
    uint64_t since, checked, poll_until, yield_until;
    uint32_t bell;
    bool armed; /* stores to what it waits for wake it */
    bool sleeps, noted;
    bool served, alone; /* asleep: a thread makes the network's progress; nobody else does */
    bool stays; /* must not be left by an alert's handler */
    bool by_library; /* another PE's library ends it, whatever that PE's program does */
};

/* The program's own name for what it waits in, if it knows, and then for whom; NULL leaves all as it is. */
struct wait_subject {
    int for_pe;
    struct job_members members;
    struct job_list list;
    bool unsure; /* for_pe may be another one by now */
};
extern const char *(*_Atomic wait_namer)(struct wait_subject *subject);

/* Where a network is in use: moves it on, in the turns of every wait; true if something has happened. */
extern bool (*_Atomic wait_progress)(void);

/* The collective at work in this thread, if nobody leaves it before all have come. */
extern _Thread_local struct job_members wait_members __attribute__((tls_model("initial-exec")));

/* What this PE is doing, for oshrun; wait_slowly does it for ordinary waits. False if another thread's wait is
 * shown. */
bool wait_note(const char *routine, int for_pe);
void wait_note_end(void);

/* In each turn of a wait that has been noted: oshrun sees that the PE still waits. The program's line takes
 * milliseconds to find, so it is found when oshrun asks for it, to report. */
void wait_tell_place(void);

/* In a wait that has been noted, of any thread: the network has done something, which may lead to its end. */
void wait_note_moves(void);

/* For ordinary waits: what w waits for, or what it does by now. */
bool note_begin(const struct wait *w);
void note_again(const struct wait *w);

#endif
