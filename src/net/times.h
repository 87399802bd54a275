/* What messages take, as a network says of itself: seconds. */
#ifndef COPAL_NET_TIMES_H
#define COPAL_NET_TIMES_H

struct net_times {
    double message;     /* an empty one, until the target's processor has it */
    double gap;         /* of a processor, for each message that it sends or takes in */
    double byte;        /* on the wire */
    double copied_byte; /* a byte into a message, and as much out of it */
    double adapter;     /* which the PEs of a node share, for each message */
    double across;      /* a byte on the busiest link, where each node sends one to all others together */
    double near;        /* until a PE of the same node sees a store */
    double near_byte;   /* to copy one within a node */
};

#endif
