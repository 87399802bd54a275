/* The failure detector's thread: it detects the end of the launcher, and of a PE of this node. */
#pragma once

#include "boot/pmi/pmi.h"

/* job_file: a descriptor that stays open. */
void watch_start(const struct boot_layout *layout, int job_file, void (*died)(int pe, const char *why));
void watch_end(void);
