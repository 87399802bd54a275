/* Which blocking puts are held back to share a message.
 *
 * A message costs both sides more than the few bytes that it carries.  A blocking put has been copied when it returns,
 * but may arrive later.  It therefore stays in its message if more data for the peer is expected soon, in two cases.
 *
 * 1. Many puts in quick succession, for example a scatter of elements: the first few are sent immediately, as a PE may
 * wait for them while this PE computes; the others share messages.  A wait or a fence ends the series.
 *
 * 2. Data, a fence, and a flag: the data is sent with the flag if the program has sent such a pair before.  After a
 * wait or a pause, the library observes whether the first put to a peer is followed by another operation on this peer
 * that is sent immediately.  It has a counter for each address and length, because no operation follows a flag, which
 * has its own address.  If nothing follows a held put, similar puts are sent immediately until the lost time is
 * recovered.
 *
 * Held puts are sent with the next message to the peer, and in any wait. While the program computes, the progress
 * thread sends them; it checks every 0.1 to 2 ms, or every 4 ms if PEs share processors. Without it nothing is held. */
#pragma once

#include "net/peer.h"

/* Call with the lock, when a blocking put's records are the last in the peer's message.  True: they may stay there.
 * False: call hold_send_put, which sends them; the time for sending does not count as a pause of the program. */
bool hold_put(struct peer *peer);
void hold_send_put(struct peer *peer);
/* Call it instead of message_send for an operation that is not a held put and is sent immediately. */
void hold_send(struct peer *peer);
