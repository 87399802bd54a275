/* A lock on another node: the processor of the image that owns the lock changes the word. */
#pragma once

#include "lock_word.h"

/* queue: the entries that the other images keep at this image, by PE. bell: symmetric; it is set to 1 when the lock
 * passes to an image that sleeps. */
void caf_lock_there_begin(struct lock_entry *queue, uint64_t *bell);

/* Requires caf_can_call(pe). If name is that of the lock: enters the queue, or takes the lock if it is free. If name is
 * 0: releases the lock. *was: the word before. The word stays unchanged if this image already held the lock, or, for
 * name 0, did not hold it. CAF_STAT_FAILED_IMAGE: pe has failed, possibly after the change. */
int caf_lock_there(int pe, uint64_t *word, uint64_t name, uint64_t *was);

/* Releases the lock without a reply, after this image's earlier puts to pe. False: it is unknown whether this image
 * holds the lock, or an image has failed; nothing has been sent. */
bool caf_unlock_there(int pe, uint64_t *word);

/* This image holds that lock now. */
void caf_note_held_there(int pe, uint64_t *word);
