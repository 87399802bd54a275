#pragma once

#include "net/provider.h"

/* NULL: not all PEs of the job are in this machine's job file.  Ends the job with an error if memory is missing. */
const struct provider_job *emulated_job(void);
