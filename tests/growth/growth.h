/* An operation that a program may repeat a million times must cost the same at the end as at the start.
 *
 *     for (growth_begin("shmem_ctx_create", 100000); growth_goes_on();)
 *         { ... one turn ... }
 *     return growth_result();
 *
 * The turns are divided into batches.  After the first quarter of them, when caches and pools have their size, and
 * at the end, this process's resident memory, open descriptors, threads and mappings are counted. A leak grows in each
 * quarter in between, too. The time of a turn is that of the quickest batch of each quarter, and has grown if it is
 * longer in each of them, and several times as long at the end. */
#pragma once

#include <stdbool.h>

/* Begins a loop of about `turns` iterations, ten times as many on one node, of the operation that `what` names;
 * GROWTH_TIMES in the environment, such as 0.1 or 100, multiplies the number. */
void growth_begin(const char *what, long turns);

/* Whether there is another turn; after the last one, prints what has grown since the first quarter. */
bool growth_goes_on(void);

/* main's return value: 1 if anything has grown on this PE. */
int growth_result(void);
