/* The shmemx_ routines for jobs that continue after PEs have died: states of PEs, and alerts. */
#include "shmem/api.h"
#include "shmem/groups.h"

#include "time/virtual.h"
#include "wait/wait.h"

#include <stdlib.h>
#include <unistd.h>

static _Atomic shmemx_alert_handler handler;

/* Runs the user's handler as if the program called it. The handler may leave by longjmp. */
static void call_handler(void)
{
    const shmemx_alert_handler call = handler;
    const char *const routine = outer_routine;
    const bool own_is_open = node.quick_from == node.heap; /* false in most waits (node_open_own) */
    if (!call)
        return;
    if (routine)
        leave();
    call();
    outer_routine = routine;
    if (own_is_open)
        node_open_own();
}

shmemx_alert_handler shmemx_on_alert(shmemx_alert_handler new_handler)
{
    check_initialized(ROUTINE);
    const shmemx_alert_handler old = atomic_exchange(&handler, new_handler);
    wait_alerted = new_handler ? call_handler : NULL;
    return old;
}

static _Atomic shmemx_wait_namer wait_describer;

static void list_members(struct wait_subject *subject, const shmemx_wait *wait)
{
    subject->members = (struct job_members){.stride = !wait->pes, .size = wait->n_pes,
                                            .number = 2 * wait->number + (wait->kind & 1)};
    subject->list.team = wait->team;
    for (int i = 0; wait->pes && i < wait->n_pes; i++)
        if (wait->pes[i] < JOB_LISTED)
            subject->list.bits[wait->pes[i] / 64] |= (uint64_t)1 << wait->pes[i] % 64;
}

static const char *name_wait(struct wait_subject *subject)
{
    const shmemx_wait_namer describe = wait_describer;
    shmemx_wait wait = {.pe = subject->for_pe};
    const char *name = describe ? describe(&wait) : NULL;
    if (!name)
        return NULL;
    subject->for_pe = wait.pe;
    subject->members.size = 0;
    subject->unsure = !wait.n_pes && wait.kind;
    if (wait.n_pes)
        list_members(subject, &wait);
    return name;
}

shmemx_wait_namer shmemx_name_waits(shmemx_wait_namer namer)
{
    check_initialized(ROUTINE);
    const shmemx_wait_namer old = atomic_exchange(&wait_describer, namer);
    wait_namer = namer ? name_wait : NULL;
    return old;
}

shmemx_routine_namer shmemx_name_routines(shmemx_routine_namer namer)
{
    return atomic_exchange(&routine_namer, namer);
}

int shmemx_outlives_pes(void)
{
    check_initialized(ROUTINE);
    return self.job->outlives;
}

int shmemx_pe_state(int pe)
{
    check_initialized(ROUTINE);
    check_pe(pe, ROUTINE);
    if (virtual_on)
        virtual_poll(); /* the program may poll until the state changes */
    const int state = node_is_near(pe) ? (int)job_state_of(pe) : net_pe_state(pe);
    return state == JOB_PE_DEAD ? SHMEMX_PE_DEAD : state >= JOB_PE_FINALIZING ? SHMEMX_PE_FINALIZED : SHMEMX_PE_RUNNING;
}

const volatile uint32_t *shmemx_alerts(void)
{
    check_initialized(ROUTINE);
    return (const volatile uint32_t *)&self.job->alerts;
}

void shmemx_alert(void)
{
    check_initialized(ROUTINE);
    job_alert(self.job);
    if (self.job->n_pes < self.n_pes)
        net_alert(-1);
}

void shmemx_fail(void)
{
    if (self.job && self.job->outlives && getpid() == self.pid && job_seat(self.pe)->state == JOB_PE_RUNNING) {
        job_note_death(self.pe);
        if (self.job->n_pes < self.n_pes)
            net_alert(self.pe);
    }
    _exit(EXIT_FAILURE);
}
