/* With healthy.f90: image 2 is late in the library's initialization, where the library requests the number of
 * processors. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int image(void)
{
    static int pe = -1; /* this process's PE, kept because the library removes the variable */
    const char *text = getenv("COPAL_JOB");
    if (text)
        sscanf(text, "%*d:%*d:%d", &pe);
    return pe + 1;
}

static __attribute__((constructor)) void begin(void)
{
    (void)image();
}

long sysconf(int name)
{
    long (*const real)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    if (name == _SC_NPROCESSORS_ONLN && image() == 2 && !getenv("COPAL_JOB"))
        sleep(1000); /* until the job is ended */
    return real(name);
}
