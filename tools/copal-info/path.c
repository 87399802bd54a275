/* Which way a put goes. */
#include "info.h"

#include <stdio.h>
#include <string.h>

static const char by_target[] = "executed by the target's processor, always: so one word is never changed by two parties that "
                                "do not know of each other";

void path_print(void)
{
    struct peer_process p;
    const bool started = peer_start(&p, 1);
    struct provider_endpoint *e = started ? peer_connect(&p, 0) : NULL;
    out_section("path", "Which path a put takes");
    out_fact("near", "within a node", "stores into the peer's memory, loads from it, atomics of the processor");
    if (!e) {
        out_fact("far", "between nodes", "none: jobs of one node only, because of this: %s", p.why);
        peer_end(&p);
        return;
    }
    char text[4000];
    p.provider->describe(e, text, sizeof text);
    out_fact("far", "between nodes", "%s; tried between two processes here:", p.provider->name);
    out_fact("transports", "", "%s", text);
    const bool one_sided = p.provider->is_one_sided(e);
    out_fact("large", "large put, get", "%s", one_sided ? "executed by hardware, without the target's processor"
                                                         : "executed by the target's processor, in its progress thread where "
                                                           "the program does not call the library");
    out_fact("small", "small put, get", "in messages, executed by the target's processor");
    out_fact("atomics", "atomics", "%s", by_target);
    peer_end(&p);
}
