/* Debuggers: of held PEs (debug.c), on terminals and in windows (debugger.c), for running jobs (attach.c). */
#pragma once

#include "oshrun.h"

/* Parses --debug=LIST for n_pes PEs; NULL is PE 0. The caller frees the result. Ends oshrun if the list is wrong. */
bool *debug_parse(const char *list, int n_pes);

enum place { ON_TERMINAL, IN_TMUX, IN_XTERM, IN_TMUX_SERVER };
/* The place where n debuggers run; ends oshrun if they cannot run. */
enum place debugger_place(int n);
/* Starts gdb on a process; `unit` is the PE's or image's number. Returns the debugger's process, or 0 after an error
 * message. */
pid_t debugger_start(enum place place, int unit, pid_t pid, const struct inherited *inherited);
void debugger_say_where(enum place place);
_Noreturn void debugger_become(int unit, pid_t pid);
