/* Durations in seconds, as the network reports them. */
#pragma once

struct net_times {
    double message;     /* of an empty message, until the target's processor has it */
    double gap;         /* of a processor, for each message that it sends or receives */
    double byte;        /* of a byte on the wire */
    double copied_byte; /* of copying a byte into a message and out of it */
    double adapter;     /* of the node's NIC, for each message */
    double across;      /* of a byte that each node sends, on the busiest link, if all nodes send to all others */
    double near;        /* until a PE of the same node sees a store */
    double near_byte;   /* of copying a byte within a node */
    double groups;      /* as near, between the L3 groups of the one node of a job; 0: they are not known */
    double access;      /* of a processor, for an access to another PE's memory on the node; 0: unknown */
    double line;        /* from the read of a cache line by one PE until another PE can read it; 0: unknown */
    double memory_byte; /* of a byte that a PE's memory transfers, of all PEs together; 0: unknown */
    int group;          /* number of PEs in an L3 group; near is the time within it; 0: they are not known */
};
