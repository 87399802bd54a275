/* The boot module for jobs that srun, mpirun or prterun started: PMIx tells who and where this process is and carries
 * the cards.  Loaded only by such processes (boot.h), so that no other program needs libpmix.
 *
 * boot.c   joining, cards, the end;  layout.c  which PEs are on which host;
 * watch.c  the thread that notices deaths;  door.c and lifeline.c  the connection between nodes by which it does. */
#ifndef COPAL_PMIX_H
#define COPAL_PMIX_H

#include "job/boot.h"

#include <netinet/in.h>
#include <pmix.h>
#include <pthread.h>
#include <stddef.h>

/* A run of consecutive PEs on one host: a node of the job. */
struct node_run {
    int first, n;
    char *host;
};

struct launch {
    pmix_proc_t me;   /* of this process; me.nspace names the job */
    int pe, n_pes;
    unsigned epoch;   /* how many times this process has begun: part of every key, since earlier ones are still there */
    bool left;        /* the launcher, to outlive deaths: what others have put is in copies */
    int own_node, n_nodes;
    struct node_run *run; /* n_nodes of them, in order of their PEs */
    char launcher[64];
};
extern struct launch pmix_launch;

/* --- layout.c ----------------------------------------------------------------------------------------------------- */

/* Fills pmix_launch.run, pmix_launch.n_nodes and pmix_launch.own_node. NULL, or a sentence. */
const char *layout_find(void);
void layout_forget(void);

int layout_node_of(int pe); /* its number in pmix_launch.run */

/* --- boot.c: values that PEs publish ------------------------------------------------------------------------------ */

/* "copal.NAME.EPOCH" */
const char *pmix_key(char *key, size_t room, const char *name);
pmix_status_t pmix_put_value(pmix_scope_t scope, const char *name, const void *bytes, size_t n);

/* The value that a PE put before the fence; its size, or 0 and *why. */
size_t pmix_get_value(int pe, const char *name, void *bytes, size_t room, const char **why);

/* A sentence in storage of this thread. */
const char *pmix_sentence(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Says "copal: PE 1: ..." on standard error, in one piece. */
void pmix_complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* --- watch.c ------------------------------------------------------------------------------------------------------ */

/* What the PEs of a node know of each other without the launcher: memory that the first of them makes and all map. */
enum member_state { MEMBER_JOINED, MEMBER_ENDED, MEMBER_DEAD };
struct members {
    _Atomic int keeper; /* index of the PE that holds the node's lifeline */
    struct member {
        _Atomic int pid;   /* 0: has not joined */
        _Atomic int state; /* enum member_state */
    } of[];
};

int members_make(void);    /* by the first PE of the node: the descriptor, or -1; open until members_leave */
bool members_map(int fd);  /* and joins; does not close fd */
void members_leave(void);

void watch_start(void (*died)(int pe, const char *why));
void watch_end(void);

/* What the watching thread is woken by; number tells those of one kind apart. */
enum source { SOURCE_STOP, SOURCE_NEIGHBOUR, SOURCE_DOOR, SOURCE_GUEST, SOURCE_ATTEMPT, SOURCE_LINE };
void watch_fd(int fd, enum source source, unsigned number, uint32_t events);
void watch_report(int pe, const char *why);
int64_t watch_clock(void); /* ms */

/* --- door.c: the end of a lifeline that is watched ---------------------------------------------------------------- */

/* What is said on a lifeline: eight bytes that only the job knows, other ones for each PE. */
enum door_word { DOOR_KNOCK, DOOR_HELLO, DOOR_BYE, DOOR_WORDS };
enum { DOOR_ADDRESSES = 8 };
struct door_notice {
    uint64_t word[DOOR_WORDS];
    uint16_t port; /* in network order */
    uint16_t n_addresses;
    struct in6_addr address[DOOR_ADDRESSES]; /* IPv4 as ::ffff:a.b.c.d */
};
void door_say(int fd, enum door_word word, const struct door_notice *notice);

/* Addresses of this host by which others may reach it, or those that lead to itself only. */
int door_own_addresses(struct in6_addr *address, int most, bool loopback);

void door_publish(void); /* opens it, and puts its addresses among the values to be committed */
void door_close(void);   /* tells those who watch this PE that it ends in order; may be repeated */
void door_watch(void);   /* the thread attends to it */
void door_event(enum source source, unsigned number);

/* --- lifeline.c: the end that watches, all in the watching thread but for line_close ------------------------------ */

void line_hold(void); /* from now on this PE holds its node's lifeline */
void line_close(void);
void line_event(enum source source, unsigned number);
int line_wait(void); /* ms until line_timeout is to be called; -1: no need */
void line_timeout(void);

/* In a forked child: its copies would keep a connection open when this process has died. */
void line_forget(void);

#endif
