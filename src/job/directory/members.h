/* Who is in the job, and how all meet. */
#ifndef COPAL_DIRECTORY_MEMBERS_H
#define COPAL_DIRECTORY_MEMBERS_H

#include "job/directory/directory.h"
#include "job/kit/kit.h"

struct member {
    uint64_t ticket;
    struct kit_place place;
    int32_t pid;
};

struct members {
    int pe, n;
    int timeout; /* in seconds: who has given no sign for so long is lost */
    uint64_t job; /* PE 0's ticket */
    struct member *of;
};
extern struct members members;

/* What a PE's file has. */
struct record {
    uint64_t job; /* 0: this PE has not seen itself in copal.all */
    struct member who;
    int32_t n_pes;
    uint32_t meetings, beats; /* signs of life */
    uint32_t card_bytes;
    struct kit_file file; /* of the first PE of a node: the job file; pid is 0 before */
    unsigned char card[BOOT_CARD_BYTES];
};

/* Waits until all PEs of the job are there. NULL, or a sentence. */
const char *members_gather(void);

/* All meet. */
const char *members_meet(void);

/* The record of a PE of this job; false if it has none any more, since it has ended in order. */
bool members_read(int pe, struct record *record);

/* In this PE's own record, and out for all to see. From any thread. */
const char *members_tell_card(const void *card, size_t bytes);
const char *members_tell_file(const struct kit_file *file);
const char *members_tell_life(void);

/* Ends the job for all PEs, or reads that another has: then true, and which with which code. */
void members_end_job(int code);
bool members_job_ended(int *pe, int *code);

/* Takes this PE's files away; PE 0 waits until the others have, if it is told so. */
void members_leave(bool in_order);

/* A moment between two looks at a file: longer from one to the next. */
void members_nap(int *ms);

#endif
