#pragma once

#include "net/provider.h"

/* NULL: not all PEs of the job are in this machine's job file.  Ends the job with an error if memory is missing. */
const struct provider_job *emulated_job(void);

/* Whether this job of one node, started by oshrun, is to have emulated times; and what PE 0 prints at its end. */
bool emulated_node(void);
void emulated_report(void);
