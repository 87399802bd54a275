/* The note in the job file that says what this PE waits for; oshrun prints it. */
#pragma once

#include "job/job.h"

#include <stdbool.h>

struct wait {
    const char *routine; /* shown by oshrun --watch */
    int for_pe;          /* the PE waited for, or JOB_FOR_... */
    uintptr_t from, to;  /* addresses whose change ends the wait, as peers see them; 0, 0: any write to this PE */
    const _Atomic uint64_t *word; /* NULL, or the only word whose change ends the wait, as peers see it */
    unsigned turns;
    unsigned slow_turns;
    unsigned kept;    /* turns that have spun instead of yielding */
    unsigned refused; /* successive yields that have not passed the processor to another PE */
    uint32_t alerts; /* the last alert passed to wait_alerted */
    uint32_t told;   /* the last alert passed to wait_sleeps */
    uint64_t since, checked, poll_until, yield_until;
    uint32_t bell;
    bool has_taker; /* another PE of this processor computes, as far as others_wait (wait.c) knows */
    bool armed; /* stores to the addresses wake the thread */
    bool sleeps, noted;
    bool served, alone; /* of a sleeping thread: another thread makes the network's progress; only this thread does */
    bool stays; /* an alert's handler must not leave the wait by longjmp */
    bool by_library; /* another PE's library ends the wait, even if its program computes */
};

/* wait_namer returns the program's name for this wait, and fills in *subject; NULL: *subject is unchanged. */
struct wait_subject {
    int for_pe;
    struct job_members members;
    struct job_list list;
    bool unsure; /* for_pe may have changed */
};
extern const char *(*_Atomic wait_namer)(struct wait_subject *subject);

/* If a network is in use, the turns of every wait call it to make progress; true if it made any. */
extern bool (*_Atomic wait_progress)(void);

/* The collective that this thread executes, if each of its PEs waits for all of them. */
extern _Thread_local struct job_members wait_members __attribute__((tls_model("initial-exec")));

/* Writes the note of a wait that does not use wait_slowly. False if the note already shows another thread's wait. */
bool wait_note(const char *routine, int for_pe);
void wait_note_end(void);

/* Called in each turn of a wait that has a note: shows oshrun that the PE still waits. To find the source line takes
 * milliseconds, so the PE finds it only when oshrun requests it for a report. */
void wait_tell_place(void);

/* If a wait of any thread has a note: records that the network has made progress, which may end the wait. */
void wait_note_moves(void);

/* For ordinary waits: writes, or updates, the note of w. */
bool note_begin(const struct wait *w);
void note_again(const struct wait *w);
