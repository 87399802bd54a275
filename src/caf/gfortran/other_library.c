/* Detects objects of another compiler, and a second library (OpenCoarrays, libcaf_shmem). */
#include "other_compilers.h"
#include "abi.h"

CAF_CALLED_BY_OTHERS(_QMprifPprif_init, "flang");

__attribute__((constructor)) static void refuse_other_library(void)
{
    caf_refuse_other_library("_gfortran_caf_init");
}
