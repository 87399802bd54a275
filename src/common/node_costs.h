/* The costs of steps within an emulated node and of the program's own computing, in picoseconds (docs/fabric.md). */
#pragma once

#include <stdint.h>

struct node_costs {
    uint64_t node_latency; /* until another PE of the node sees a store; also for a load from another PE */
    double node_gap_byte;  /* time for each byte that is copied */
    double compute;        /* emulated seconds for a second of the program's processor time; 0: it is free */

    /* The node's shape (lines.h): sockets, L3 groups of a socket, cores of a group; cores is 0 if it has none. */
    int sockets, groups, cores;
    uint64_t group_latency, socket_latency; /* within a group, and a socket; node_latency: between sockets */
    uint64_t access_overhead; /* the library's time for a store, load, atomic or wait */
    uint64_t line_gap;      /* time for which a reader delays other PEs */
    double memory_gap_byte; /* time for each byte that a PE's memory transfers, for all PEs together */
};
