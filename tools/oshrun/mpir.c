/* The MPIR process acquisition interface: TotalView, DDT and similar debuggers read the job's processes here.
 *
 * The names are those of the specification (MPI Forum, version 1.1). A debugger that starts oshrun sets
 * MPIR_being_debugged before main, and a breakpoint in MPIR_Breakpoint. When oshrun calls this, the PEs are held at
 * their first instruction, and the table lists them. When the debugger continues oshrun, PEs without a debugger also
 * continue (MPIR_partial_attach_ok). A debugger that attaches to oshrun later reads the same table. The names are
 * exported, so that a stripped oshrun has them. This file is always compiled with -g: debuggers need the types. */
#include "oshrun.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MPIR_DEBUG_SPAWNED = 1, MPIR_DEBUG_ABORTING = 2 };

typedef struct {
    char *host_name, *executable_name;
    int pid;
} MPIR_PROCDESC;

MPIR_PROCDESC *MPIR_proctable;
int MPIR_proctable_size;
volatile int MPIR_being_debugged, MPIR_debug_state;
char *MPIR_debug_abort_string;
int MPIR_i_am_starter, MPIR_partial_attach_ok; /* debuggers check only that they exist */

/* Debuggers set a breakpoint here. */
__attribute__((noinline, used)) void MPIR_Breakpoint(void);
void MPIR_Breakpoint(void)
{
    __asm__ volatile("" ::: "memory");
}

/* The path of the executable that PEs run, or will run. */
static char *executable_of(const struct app *app)
{
    char path[PATH_MAX], *whole = find_program(app, path) ? realpath(path, NULL) : NULL;
    return whole ? whole : app->argv[0];
}

void mpir_spawned(struct run *r)
{
    static char host[HOST_NAME_MAX + 1];
    gethostname(host, sizeof host - 1);
    MPIR_proctable = zeroed((size_t)r->opt.n_pes, sizeof *MPIR_proctable);
    char *executable = NULL;
    for (int i = 0; i < r->opt.n_pes; i++) {
        if (i == 0 || r->pe[i].app != r->pe[i - 1].app)
            executable = executable_of(r->pe[i].app);
        MPIR_proctable[i] = (MPIR_PROCDESC){host, executable, (int)r->pe[i].pid};
    }
    MPIR_proctable_size = r->opt.n_pes;
    MPIR_debug_state = MPIR_DEBUG_SPAWNED;
    if (MPIR_being_debugged)
        MPIR_Breakpoint();
}

void mpir_aborting(void)
{
    static char text[] = "the job is ended before all its PEs have ended";
    if (!MPIR_being_debugged || MPIR_debug_state != MPIR_DEBUG_SPAWNED)
        return;
    MPIR_debug_abort_string = text;
    MPIR_debug_state = MPIR_DEBUG_ABORTING;
    MPIR_Breakpoint();
}
