/* The hosts of the PEs. */
#pragma once

#include "boot/pmix/pmix.h"

/* Fills pmix_launch.run, pmix_launch.n_nodes and pmix_launch.own_node. NULL, or a sentence. */
const char *layout_find(void);
void layout_forget(void);

int layout_node_of(int pe); /* the PE's node, as an index of pmix_launch.run */
