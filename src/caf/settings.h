/* What is set in the environment for the core; the table is settings.def. */
#ifndef COPAL_CAF_SETTINGS_H
#define COPAL_CAF_SETTINGS_H

#include <stdbool.h>

enum caf_setting {
#define SETTING(NAME, ...) SETTING_##NAME,
#include "settings.def"
#undef SETTING
    CAF_SETTINGS
};

/* Which of the words that are allowed, from 0; another one ends the job. */
int caf_setting(enum caf_setting s);

/* A number from 1 to most, and 0 if it is not set; another value ends the job. */
int caf_setting_number(enum caf_setting s, int most);

/* Whether a launcher has started this process: what cafrun, and srun, mpirun or prterun set is there. */
bool caf_has_launcher(void);

/* Whether this image is to answer SHMEM_INFO, and its answer. */
bool caf_adapter_atomics(void); /* SHMEM_NET_ATOMICS=adapter */
bool caf_info_wanted(void);
bool caf_debug(void); /* SHMEM_DEBUG */
void caf_print_settings(void);

#endif
