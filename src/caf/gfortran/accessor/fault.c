#include "fault.h"

#include "../allocation.h"

#include <setjmp.h>
#include <signal.h>

_Thread_local const struct access *fault_access __attribute__((tls_model("initial-exec")));
bool fault_watched;

enum { SIGNALS = 2 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS};
static struct sigaction before[SIGNALS];

/* The exit from an accessor that an image of another node has called: this thread may have to reply before the job
 * ends. */
static _Thread_local sigjmp_buf *way_out __attribute__((tls_model("initial-exec")));
static _Thread_local volatile sig_atomic_t caught __attribute__((tls_model("initial-exec")));

void fault_outside(const struct access *a)
{
    caf_fatal("%s: an access outside of the coarray, which has %zu bytes, on image %d%s: a subscript is out of "
              "bounds; or the coarray is a dummy argument of assumed shape, for which gfortran 15 and 16 make wrong "
              "code: declare it with explicit shape", a->name, a->coarray->bytes, a->pe + 1, caf_of_initial_team());
}

void fault_fatal(const struct access *a, int cause)
{
    if (cause == FAULT_VECTOR)
        caf_fatal("%s: a vector subscript that is allocatable or a component, for an image of another node: gfortran "
                  "15 and 16 do not pass its values: copy it to an array of constant size", a->name);
    if (!a->coarray->has_components)
        fault_outside(a);
    caf_fatal("%s: invalid memory on image %d%s (signal %d): a component is not allocated or not associated, "
              "or a subscript is out of bounds; or a pointer component leads to a variable of that image, static or "
              "local, which this image cannot access; or the coarray is a dummy argument of assumed shape, for which "
              "gfortran 15 and 16 make wrong code: declare it with explicit shape", a->name, a->pe + 1,
              caf_of_initial_team(), cause);
}

void fault_leave(int cause)
{
    caught = cause;
    siglongjmp(*way_out, 1);
}

/* After a fault outside an accessor, restores the earlier handler; the instruction is executed again. Otherwise the
 * handler stays, for accessors that other images call before this image ends the job. */
static void on_fault(int signal_number)
{
    const struct access *a = fault_access;
    if (!a) {
        for (int i = 0; i < SIGNALS; i++)
            sigaction(signals[i], &before[i], NULL);
        return;
    }
    if (way_out)
        fault_leave(signal_number);
    fault_access = NULL;
    fault_fatal(a, signal_number);
}

/* No signal mask is saved: the handler does not change it (SA_NODEFER). */
int fault_run(const struct access *a, void (*f)(void *context), void *context)
{
    const struct access *const outer = fault_begin(a);
    sigjmp_buf here;
    caught = 0;
    way_out = &here;
    if (sigsetjmp(here, 0) == 0) {
        f(context);
    } else {
        gfortran_lend(false);
        gfortran_guarded = NULL;
    }
    way_out = NULL;
    fault_end(outer);
    return caught;
}

void fault_watch(void)
{
    struct sigaction ours = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &ours, &before[i]);
    fault_watched = true;
}
