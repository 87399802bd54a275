/* A lock on another node: the processor of the image that owns the lock changes the word. */
#pragma once

#include "lock_word.h"

/* queue: the entries that the other images keep at this image, by PE. */
void caf_lock_there_begin(struct lock_entry *queue);

/* Requires caf_can_call(pe). If name is that of the lock: enters the queue, or takes the lock if it is free. If name is
 * 0: releases the lock. *was: the word before. The word stays unchanged if this image already held the lock, or, for
 * name 0, did not hold it. CAF_STAT_FAILED_IMAGE: pe has failed, possibly after the change. */
int caf_lock_there(int pe, uint64_t *word, uint64_t name, uint64_t *was);
