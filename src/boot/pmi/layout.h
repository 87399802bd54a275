/* The nodes of the PEs, from the launcher's process mapping. */
#pragma once

#include "boot/pmi/pmi.h"

/* Fills in layout->first, n_local and node_size, of layout->pe of n_pes; NULL, or a sentence. */
const char *layout_find(const char *mapping, struct boot_layout *layout);
