/* Debuggers: PEs that are held for them (debug.c), where they run (debugger.c), jobs that run already (attach.c). */
#ifndef COPAL_DEBUGGER_H
#define COPAL_DEBUGGER_H

#include "oshrun.h"

/* What --debug=LIST chooses of so many PEs, to be freed; NULL is PE 0. Ends oshrun if that is no list of them. */
bool *debug_parse(const char *list, int n_pes);

enum place { ON_TERMINAL, IN_TMUX, IN_XTERM, IN_TMUX_SERVER };
/* Where so many debuggers run; ends oshrun if they cannot. */
enum place debugger_place(int n);
/* gdb on a process; `unit` is the PE's number, or the image's. The debugger's process is returned; 0, with a sentence:
 * there is none. */
pid_t debugger_start(enum place place, int unit, pid_t pid, const struct inherited *inherited);
void debugger_say_where(enum place place);
_Noreturn void debugger_become(int unit, pid_t pid);

#endif
