/* copal-info: the built-in features, this machine's hardware and software, and the path of a put.
 *
 * main.c     the command line
 * out.c      facts, as text or as JSON
 * built.c    built-in features, and the modules
 * machine.c  processors, memory, network devices, launchers, batch system
 * partner.c  another process that acts as a PE of another node
 * path.c     the path of a put
 * scale.c    bytes for each connected PE, and in the job */
#pragma once

#include "net/choice.h"

#include <stdbool.h>
#include <stddef.h>

/* out.c: sections of facts. key is the name in JSON, label is the name in text. */
void out_begin(bool json);
void out_end(void);
void out_section(const char *key, const char *title);
__attribute__((format(printf, 3, 4))) void out_fact(const char *key, const char *label, const char *fmt, ...);
__attribute__((format(printf, 4, 5))) void out_number(const char *key, const char *label, double number,
                                                      const char *fmt, ...);
void out_flag(const char *key, bool value); /* in JSON only */
const char *out_bytes(char *text, size_t room, double bytes); /* "1.5 MiB" */

/* built.c */
void built_print(void);
const struct net_chosen *network_choose(void); /* the provider, started */

/* machine.c */
void machine_print(void);

/* partner.c: endpoints from a port of this process to ports of another process. */
enum { PARTNER_TEXT = CHOICE_WHY };
struct partner {
    const struct provider *provider;
    int n_ports;
    size_t address_bytes, key_bytes;
    struct provider_port *port;
    char why[PARTNER_TEXT]; /* the error */
};
/* Starts the other process with n_ports ports and opens this one's. False: see why. */
bool partner_start(struct partner *p, int n_ports);
/* Connects to port i of the other process: exchanges a message and its reply, and the keys of memory. NULL: see why. */
struct provider_endpoint *partner_connect(struct partner *p, int i);
void partner_end(struct partner *p);
#define PARTNER_OPTION "--play-partner" /* with this option the program starts itself as the other process */
_Noreturn void partner_play(const char *n_ports);

/* path.c, scale.c */
void path_print(void);
void scale_print(void);
