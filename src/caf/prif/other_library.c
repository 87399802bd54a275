/* Detects a second library for flang: Caffeine. */
#include "../caf.h"

__attribute__((constructor)) static void refuse_other_library(void)
{
    caf_refuse_other_library("_QMprifPprif_init");
}
