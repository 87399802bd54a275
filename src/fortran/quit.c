/* In libshmem_fortran, and in the libraries of coarrays for gfortran.
 *
 * libgfortran handles SIGQUIT too, and would end the PE. oshrun has PEs ignore it, since Ctrl-\ at a terminal, which
 * reaches them all, is to make it tell what they wait for. */
#include <dlfcn.h>
#include <signal.h>

/* Of libgfortran, called by the main program before its first statement. */
__attribute__((visibility("default"))) void _gfortran_set_options(int n, int options[]);

/* What is called instead in a program that has libgfortran in itself, whose own comes before ours: our tools,
 * pkg-config and CMake link by --wrap. */
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
