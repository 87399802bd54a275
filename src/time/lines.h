/* A node with a shape, in emulated time (docs/fabric.md): sockets, groups of cores that share an L3 cache, and cores.
 * PE i of the node is on core i.
 *
 * A cache line serves one PE after the other. The latency is half of a flag's round trip, and a line's transfer from
 * core to core takes half of the latency: the writer gets the line from the reader, then the reader from the writer. A
 * PE that changes the line needs it from the PE that changed it last; a reader delays the next PE by line_gap only. The
 * PE in whose memory the line is, its home, is assumed to poll it: once a change has had time to reach the home, the
 * line is there. A PE's memory serves transfers of more than a line one after the other, each for its bytes.
 *
 * Only the PE that has the turn calls these functions, in the order of the PEs' times. Therefore only a line's next
 * free moment is stored, not its transfers. */
#pragma once

#include "time/virtual.h"

/* All PEs call it in shmem_init, if costs->cores is not 0. */
void lines_map(const struct node_costs *costs);

/* This PE's access at time now; at: the place (node.h) in the memory of PE pe, of this node. Returns when the access
 * ends. A store ends when the PE continues, before it has the line. */
uint64_t lines_access(enum virtual_access kind, int pe, uint64_t at, size_t bytes, uint64_t now);

/* PE pe waits for this PE's last store or change: returns when it sees it. now: the time when this PE continues. */
uint64_t lines_seen(int pe, uint64_t now);
