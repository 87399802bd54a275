#include "boot/mpi_beside.h"
#include "job/self.h"

#include <dlfcn.h>
#include <stdatomic.h>

/* MPI allows MPI_Initialized and MPI_Finalized at any time. */
static bool mpi_says(const char *name)
{
    int (*function)(int *), flag = 0;
    *(void **)&function = dlsym(RTLD_DEFAULT, name);
    return function && function(&flag) == 0 && flag;
}

bool hybrid_mpi_works(void)
{
    return mpi_says("MPI_Initialized") && !mpi_says("MPI_Finalized");
}

/* oshrun serves neither PMIx nor PMI. */
void hybrid_tell_of_ranks(void)
{
    static _Atomic bool is_told;
    if (self.job->launcher && self.n_pes > 1 && mpi_says("MPI_Initialized") && !atomic_exchange(&is_told, true))
        job_say("MPI_Init", "oshrun and cafrun start no MPI job, so for MPI these %d processes are %d jobs of one rank "
                "each; start a program that also uses MPI by mpirun or mpiexec of that MPI, or by srun", self.n_pes,
                self.n_pes);
}

/* MPI_Init of Open MPI 5 and 6 calls PMIx_Initialized. If the result is true, Open MPI skips PMIx_Init and does not
 * know its rank, but it calls PMIx_Finalize at the end. PMIx counts initializations, so a second PMIx_Init is always
 * correct. Therefore this function returns false once Copal uses PMIx. The dynamic linker finds it before that of
 * libpmix, because the program itself is linked with this library. */
static _Atomic bool uses_pmix;

void hybrid_uses_pmix(void)
{
    uses_pmix = true;
}

int PMIx_Initialized(void);
__attribute__((visibility("default"))) int PMIx_Initialized(void)
{
    int (*real)(void);
    *(void **)&real = dlsym(RTLD_NEXT, "PMIx_Initialized");
    return real && !uses_pmix && real();
}
