/* Which blocking puts wait for others to travel with.
 *
 * A message takes both sides longer than the few bytes in it. A blocking put has been copied when it returns, and
 * nothing says when it arrives: so it may wait in its message, as nonblocking ones do, where more for the peer follows
 * at once. It does in two cases.
 *
 * Many puts that follow one another at once are a burst, a scatter of elements. A few go at once, for somebody may wait
 * for them while this PE computes; the others share messages. A wait ends it, and so does a fence, behind which there
 * may come what tells of the others.
 *
 * Data, a fence, and the flag that tells of it: the data leaves with the flag where that is this program's habit. Of
 * the first put to a peer after a wait, or a pause, it is learned whether something that leaves at once follows it to
 * the same peer before the next one: by where the put goes and how long it is, for a flag, which nothing follows, has a
 * place of its own. Where for once nothing has followed, such puts leave at once for as long as makes up for the time
 * that one has waited.
 *
 * What waits leaves with the next message to the peer, in any wait, and where the program computes from the thread,
 * which looks for it about every two milliseconds. Without a thread nothing waits. */
#ifndef COPAL_NET_HOLD_H
#define COPAL_NET_HOLD_H

#include "net/peer.h"

/* With the lock. A blocking put's records are the last in the peer's message: they may wait there; else they leave by
 * hold_send_put, and the time that this takes is no pause of the program's. */
bool hold_put(struct peer *peer);
void hold_send_put(struct peer *peer);
/* message_send for what else leaves at once. */
void hold_send(struct peer *peer);

#endif
