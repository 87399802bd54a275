/* An operation that a program may repeat a million times must cost the same at the end as at the start.
 *
 *     for (growth_begin("shmem_ctx_create", 100000); growth_goes_on();)
 *         { ... one iteration ... }
 *     return growth_result();
 *
 * The iterations are divided into batches.  This process's memory with the node's symmetric memory, its open
 * descriptors, threads and mappings are counted after the first quarter of the batches, when caches and pools have
 * their size, and at the end. A leak also grows in each quarter in between. The time of an iteration is that of the
 * quickest batch of a quarter; it has grown if it is longer in each quarter, and several times as long at the end. */
#pragma once

#include <stdbool.h>

/* Begins a loop of about `turns` iterations (ten times as many on one node) of the operation that `what` names.
 * GROWTH_TIMES in the environment, such as 0.1 or 100, multiplies the number. */
void growth_begin(const char *what, long turns);

/* Returns whether to run another iteration. After the last one, it prints what has grown since the first quarter. */
bool growth_goes_on(void);

/* main's return value: 1 if anything has grown on this PE. */
int growth_result(void);
