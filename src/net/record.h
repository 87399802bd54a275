/* What travels between nodes: messages full of records.
 *
 * A message is a head and records, each a header, its kind's arguments and what it carries, padded to RECORD_ALIGN
 * bytes.  The target's processor executes them in the order in which they were added (serve.c), and answers those
 * that ask with REPLY records, together in one message where they came in one.  Both sides run the same library on
 * machines of one kind, so records are the structs below, as they are.
 *
 * Messages to one peer stay in order: so a fence between records costs nothing, and a quiet is one more record to
 * each peer that has some outstanding, whose reply says that all before it has been done. A put that a quiet is
 * expected to follow takes that record along. Nonblocking records for one peer share a message, which leaves when it
 * is full, at a quiet, at any wait, and from the progress thread; one that was alone before the last quiet leaves at
 * once. Strided puts travel packed and are unpacked where they go, strided gets are packed there.
 *
 * Atomics are records too, executed with the same instruction that a near PE uses: one domain for each word.  An
 * adapter's are quicker at a busy target, but few are atomic beside a processor's, so they are used for all words or,
 * by default, for none (net.adapter). UCX 1.13 returns wrong data for some fetching ones over shared memory. Whoever
 * executes a record wakes a PE that sleeps for the address. */
#ifndef COPAL_NET_RECORD_H
#define COPAL_NET_RECORD_H

#include <stdint.h>

#define MESSAGE_MAGIC 0x4e50414cu

struct message_head {
    uint32_t magic;
    int32_t from; /* the PE */
};

enum record_kind {
    RECORD_PUT = 1,     /* store what follows */
    RECORD_PUT_STRIDED, /* struct args_strided, then n blocks, packed */
    RECORD_AMO,         /* struct args_post, one or more: nobody asks what was there */
    RECORD_FETCH,       /* struct args_amo: the reply says what was there */
    RECORD_GET,         /* struct args_get */
    RECORD_GET_STRIDED, /* struct args_strided: the reply has the blocks, packed */
    RECORD_FLUSH,       /* struct args_token: the reply says that all before it has been executed */
    RECORD_STATE,       /* struct args_token: the PE's state (job.h), and the stage of its meeting above that */
    RECORD_GATHERED,    /* from one below in the meeting of that stage (state.c): all below it have come */
    RECORD_RELEASED,    /* all have */
    RECORD_KEY,         /* struct args_token: the reply has the key to a piece of the heap (region.h); about that */
    RECORD_READ,        /* struct args_get; about an address of the target's own */
    RECORD_WRITE,       /* struct args_token, then what to store there; about an address of the target's own */
    RECORD_ARGS,        /* struct args_piece, then a piece of a call's arguments; about the call, as RECORD_CALL */
    RECORD_CALL,        /* struct args_call, then the last piece; about the function, and above it the call's number */
    RECORD_REST,        /* struct args_rest: the reply has a piece of what a call has left; about that */
    RECORD_RELEASE,     /* no more of it is asked for */
    RECORD_ALERT,       /* about the PE that died, plus 1; 0: nobody */
    RECORD_REPLY,       /* struct args_reply, then the data; op: an error number; about the token */
};

enum { RECORD_ALIGN = 8 };

struct record {
    uint8_t kind, op, size; /* op and size: an atomic's */
    uint8_t unused;
    uint32_t bytes; /* of arguments and data, less the padding */
    uint64_t about; /* a place (node.h), or what the kind says */
};

/* A token is what the sender of a question knows it by (op_asked). */
struct args_token {
    uint64_t token;
};

struct args_amo {
    uint64_t token, value, cond;
};

struct args_post {
    uint64_t word, value; /* a place */
};

/* at: where in the sender's question the answer belongs, and told with it. */
struct args_get {
    uint64_t token, at, bytes;
};

struct args_strided {
    uint64_t token, at;
    int64_t step;
    uint32_t block, n;
};

struct args_piece {
    uint64_t at, whole; /* of the arguments; whole does not count the last piece */
};

/* token: 0 if nobody waits for a reply. */
struct args_call {
    uint64_t token, before; /* before: bytes that came as RECORD_ARGS */
};

/* from: in what the function has left, head and data as one; never some of both. */
struct args_rest {
    uint64_t token, at, bytes, from;
};

/* A call's reply begins with it: then come head and data, as far as they fit. */
struct call_reply {
    uint64_t rest; /* what RECORD_REST and RECORD_RELEASE are about, or 0: all of it is here */
    uint64_t head, bytes;
};

struct args_reply {
    uint64_t at;
};

#endif
