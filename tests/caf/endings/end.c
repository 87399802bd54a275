/* Ends for which Fortran has no statement. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void die(int number)
{
    (void)number;
    kill(getpid(), SIGKILL);
}

/* Sends SIGKILL to this process after that time, at any instruction. */
void kill_in(int microseconds)
{
    signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {microseconds / 1000000, microseconds % 1000000 + 1}}, NULL);
}

void end_by_signal(int number)
{
    raise(number);
}

void end_by_exit(int code)
{
    _exit(code);
}

void touch_nothing(void)
{
    *(volatile int *)NULL = 1;
}

void ask_for_abort(void)
{
    abort();
}
