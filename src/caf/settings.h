/* The core's environment variables; the table is settings.def. */
#pragma once

#include <stdbool.h>

enum caf_setting {
#define SETTING(NAME, ...) SETTING_##NAME,
#include "settings.def"
#undef SETTING
    CAF_SETTINGS
};

/* The index, from 0, of the variable's value among the allowed words; any other value ends the job. */
int caf_setting(enum caf_setting s);

/* A number from 1 to most, or 0 if the variable is not set; any other value ends the job. */
int caf_setting_number(enum caf_setting s, int most);

/* Whether a launcher (cafrun, srun, mpirun, prterun) has started this process, by the variables that launchers set. */
bool caf_has_launcher(void);

bool caf_adapter_atomics(void); /* SHMEM_NET_ATOMICS=adapter */
bool caf_info_wanted(void); /* SHMEM_INFO, on image 1 */
bool caf_debug(void); /* SHMEM_DEBUG */
void caf_print_settings(void); /* the output of SHMEM_INFO */
