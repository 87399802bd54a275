/* Translates names of C routines, in errors and in oshrun's reports of waits, to the names in the Fortran program. */
#include "fortran.h"

#include <shmemx.h>
#include <stdio.h>
#include <string.h>

_Thread_local const struct names *fortran_names;

/* The length of the type in a C name, such as int32_ in shmem_int32_atomic_add. Fortran programs use generic names. */
static size_t type_length(const char *name)
{
    static const char *const types[] = {"int8_",   "int16_",      "int32_",    "int64_",   "float_",
                                        "double_", "longdouble_", "complexf_", "complexd_"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(name, types[i], strlen(types[i])) == 0)
            return strlen(types[i]);
    return 0;
}

/* fortran_names is not reset when a routine returns, because that would cost time in each call. It therefore applies
 * only to the C routines that it lists. */
static const char *name_of(const char *routine)
{
    static _Thread_local char generic[64];
    for (int i = 0; fortran_names && i < FORTRAN_NAMES && fortran_names->of_c[i]; i++)
        if (strcmp(routine, fortran_names->of_c[i]) == 0)
            return fortran_names->own;
    const char *name = strncmp(routine, "shmem_ctx_", 10) == 0 ? routine + 10 : routine + 6;
    if (strncmp(routine, "shmem_", 6) != 0 || type_length(name) == 0)
        return routine;
    snprintf(generic, sizeof generic, "shmem_%s", name + type_length(name));
    return generic;
}

__attribute__((constructor)) static void name_routines(void)
{
    shmemx_name_routines(name_of);
}
