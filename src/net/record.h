/* The format of messages between nodes.
 *
 * A message is a head and records; a record is a header, the arguments of its kind and data, padded to RECORD_ALIGN
 * bytes.  The target's processor executes them in the order in which they were added (serve.c), and replies with REPLY
 * records, which share a message if their requests shared one.  Both sides run the same library on machines of one
 * kind, so records are the structs below in their memory layout.
 *
 * Messages to one peer stay in order.  A fence between records therefore costs nothing, and a quiet adds one FLUSH
 * record for each peer with outstanding records.  Its reply says that the peer has executed all records before it.  If
 * a quiet is expected to follow a put, the FLUSH record is sent with the put.  Nonblocking records for one peer share a
 * message, which is sent when it is full, at a quiet, in any wait, and by the progress thread; if the previous quiet
 * followed a single operation, the next operation is sent immediately.  The data of a strided put is sent packed, and
 * the target unpacks it; the target packs the data of a strided get.
 *
 * Atomics are records too, executed with the instruction that local PEs use, so each word has one atomicity domain. NIC
 * atomics are faster at a busy target, but few NICs are atomic with processors.  NIC atomics are therefore used for all
 * words or, by default, for none (net.adapter).  UCX's atomics are never used (ucx/provider.c); besides, UCX 1.13
 * returns wrong data for some fetching atomics over shared memory.
 *
 * The thread that executes a record wakes a PE that sleeps on the address. */
#pragma once

#include <stdint.h>

#define MESSAGE_MAGIC 0x4e50414cu

struct message_head {
    uint32_t magic;
    int32_t from;
};

enum record_kind { /* about: the contents of that member of struct record */
    RECORD_PUT = 1,     /* the data to store */
    RECORD_PUT_STRIDED, /* struct args_strided, then n blocks, packed */
    RECORD_AMO,         /* struct args_post, one or more: no result is returned */
    RECORD_FETCH,       /* struct args_amo: the reply has the previous value */
    RECORD_GET,         /* struct args_get */
    RECORD_GET_STRIDED, /* struct args_strided: the reply has the blocks, packed */
    RECORD_FLUSH,       /* struct args_token: the reply says that all records before it have been executed */
    RECORD_STATE,       /* struct args_token: the reply has the PE's state (job.h); upper half: its barrier stage */
    RECORD_GATHERED,    /* from a child in the barrier (state.c): its whole subtree has arrived; about: the stage */
    RECORD_RELEASED,    /* all PEs have arrived; about: the stage */
    RECORD_KEY,         /* struct args_token: the reply has the key to a heap segment (region.h); about: the segment */
    RECORD_READ,        /* struct args_get; about: a virtual address of the target */
    RECORD_WRITE,       /* struct args_token, then the data to store; about: a virtual address of the target */
    RECORD_ARGS,        /* struct args_piece, then a segment of a call's arguments; about: as RECORD_CALL */
    RECORD_CALL,        /* struct args_call, the last segment; about: the function; upper half: the call's number */
    RECORD_REST,        /* struct args_rest: the reply has a segment of a call's results; about: the results */
    RECORD_RELEASE,     /* frees the results `about` */
    RECORD_ALERT,       /* about: the dead PE's number plus 1; 0: none */
    RECORD_REPLY,       /* struct args_reply, then the data; op: an error number; about: the token */
};

enum { RECORD_ALIGN = 8 };

struct record {
    uint8_t kind, op, size; /* op, size: of an atomic */
    uint8_t unused;
    uint32_t bytes; /* of arguments and data, without the padding */
    uint64_t about; /* a place (node.h), or as enum record_kind says */
};

/* The token identifies the request to its sender (op_asked). */
struct args_token {
    uint64_t token;
};

struct args_amo {
    uint64_t token, value, cond;
};

struct args_post {
    uint64_t word, value; /* a place */
};

/* at: the offset for the reply's data in the requester's buffer.  The reply returns it. */
struct args_get {
    uint64_t token, at, bytes;
};

struct args_strided {
    uint64_t token, at;
    int64_t step;
    uint32_t block, n;
};

struct args_piece {
    uint64_t at, whole; /* at: the segment's offset; whole: bytes of all segments but the last */
};

/* token: 0 if no reply is expected. */
struct args_call {
    uint64_t token, before; /* before: bytes that RECORD_ARGS have carried */
};

/* from: the offset in the results, which are the head and then the data.  No request spans both. */
struct args_rest {
    uint64_t token, at, bytes, from;
};

/* The start of a call's reply; as much of head and data as fits follows. */
struct call_reply {
    uint64_t rest; /* `about` of RECORD_REST and RECORD_RELEASE; 0: the reply has all results */
    uint64_t head, bytes;
};

struct args_reply {
    uint64_t at;
};
