/* A lock of another node, changed by the processor of the image whose it is. */
#ifndef COPAL_CAF_LOCK_THERE_H
#define COPAL_CAF_LOCK_THERE_H

#include "lock_word.h"

/* The entries that others note at this image, by PE. */
void caf_lock_there_begin(struct lock_entry *queue);

/* Of an image that can be called (caf_can_call): enters the line, noted as waiting for the lock of that name, or takes
 * the lock if it is free; name 0: gives the lock back.  *was: what the word was.  It has not been changed where this
 * image held the lock already, or did not.  CAF_STAT_FAILED_IMAGE: that image has failed, perhaps after all that. */
int caf_lock_there(int pe, uint64_t *word, uint64_t name, uint64_t *was);

#endif
