#pragma once

#include "net/provider.h"

/* NULL: not all PEs of the job are in this machine's job file.  Ends the job with an error if memory is missing. */
const struct provider_job *emulated_job(void);

/* Whether this job, started by oshrun on one node, has emulated times. */
bool emulated_node(void);
void emulated_report(void); /* prints the job's emulated time; call on PE 0 at the end */
