#include "wait/note.h"

#include "common/clock.h"
#include "job/backtrace.h"
#include "job/self.h"

#include <stdio.h>

_Thread_local struct job_members wait_members;
bool (*_Atomic wait_progress)(void);
const char *(*_Atomic wait_namer)(struct wait_subject *subject);

static void write_note(const char *routine, const struct wait_subject *subject)
{
    struct job_wait *note = &job_seat(self.pe)->wait;
    snprintf(note->routine, sizeof note->routine, "%s", routine);
    note->for_pe = subject->for_pe;
    note->members = subject->members;
    note->list = subject->list;
    note->unsure = subject->unsure;
}

static bool take_note(void)
{
    return atomic_exchange(&job_seat(self.pe)->wait.taken, 1) == 0;
}

static void begin_note(void)
{
    job_seat(self.pe)->wait.number++;
    job_seat(self.pe)->wait.since_ns = clock_now();
}

void wait_note_moves(void)
{
    struct job_wait *note = &job_seat(self.pe)->wait;
    if (atomic_load_explicit(&note->since_ns, memory_order_relaxed))
        note->number++;
}

bool wait_note(const char *routine, int for_pe)
{
    if (!take_note())
        return false;
    write_note(routine, &(struct wait_subject){.for_pe = for_pe, .members = wait_members});
    begin_note();
    return true;
}

void wait_note_end(void)
{
    struct job_wait *note = &job_seat(self.pe)->wait;
    note->since_ns = 0;
    note->tells = 0;
    note->taken = 0;
}

void note_again(const struct wait *w)
{
    struct wait_subject subject = {.for_pe = w->for_pe, .members = wait_members};
    const char *(*const namer)(struct wait_subject *) = wait_namer;
    const char *routine = namer ? namer(&subject) : NULL;
    subject.unsure |= w->by_library;
    write_note(routine ? routine : job_routine(w->routine), &subject);
}

void wait_tell_place(void)
{
    struct job_wait *note = &job_seat(self.pe)->wait;
    const uint32_t asked = self.job->asked;
    note->turns++;
    note->tells = 1;
    if (LIKELY(note->told == asked))
        return;
    backtrace_place(note->place, sizeof note->place);
    note->told = asked;
}

bool note_begin(const struct wait *w)
{
    if (!take_note())
        return false;
    note_again(w);
    begin_note();
    return true;
}
