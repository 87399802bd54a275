/* Part of libshmem_fortran, and of the coarray libraries for gfortran.
 *
 * Ctrl-\ at a terminal requests a report of waits from oshrun. The terminal sends SIGQUIT to all PEs too, so oshrun
 * starts them with SIGQUIT ignored. libgfortran installs a handler for SIGQUIT, which would end the PE; this file makes
 * the PE ignore the signal again. */
#include <dlfcn.h>
#include <signal.h>

/* A function of libgfortran, which the main program calls before its first statement. */
__attribute__((visibility("default"))) void _gfortran_set_options(int n, int options[]);

/* Called instead in a program that is statically linked with libgfortran. There, libgfortran's function would precede
 * the function above: Copal's tools, pkg-config and CMake files link with --wrap. */
__attribute__((visibility("default"))) void __wrap__gfortran_set_options(int n, int options[]);

static void set_options(void *found, int n, int options[])
{
    void (*real)(int, int[]);
    struct sigaction quit;
    *(void **)&real = found;
    sigaction(SIGQUIT, NULL, &quit);
    real(n, options);
    if (quit.sa_handler == SIG_IGN)
        sigaction(SIGQUIT, &quit, NULL);
}

void _gfortran_set_options(int n, int options[])
{
    set_options(dlsym(RTLD_NEXT, "_gfortran_set_options"), n, options);
}

void __wrap__gfortran_set_options(int n, int options[])
{
    set_options(dlsym(RTLD_DEFAULT, "_gfortran_set_options"), n, options);
}
