/* The path of a put. */
#include "info.h"

static const char by_target[] = "by the target's processor, because a NIC's atomics are not atomic with a processor's";

void path_print(void)
{
    struct partner p;
    const bool started = partner_start(&p, 1);
    struct provider_endpoint *e = started ? partner_connect(&p, 0) : NULL;
    out_section("path", "Which path a put takes");
    out_fact("near", "within a node", "stores into the peer's memory, loads from it, atomics of the processor");
    out_flag("spans_nodes", e != NULL);
    if (!e) {
        out_fact("far", "between nodes", "none, so jobs have one node only: %s", p.why);
        partner_end(&p);
        return;
    }
    char text[4000];
    p.provider->describe(e, text, sizeof text);
    out_fact("chosen", "network library", "%s: %s", p.provider->name, network_choose()->why);
    out_fact("far", "between nodes", "%s; measured between two processes here:", p.provider->name);
    out_fact("transports", "", "%s", text);
    const bool one_sided = p.provider->is_one_sided(e);
    out_flag("one_sided", one_sided);
    out_fact("large", "large put, get", "%s", one_sided
             ? "by hardware, without the target's processor"
             : "by the target's processor, in its progress thread while the program computes");
    out_fact("small", "small put, get", "in messages, by the target's processor");
    out_fact("atomics", "atomics", "%s", by_target);
    partner_end(&p);
}
