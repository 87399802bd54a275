#include "net/ports.h"

#include "common/number.h"
#include "job/settings.h"

#include <stdlib.h>

enum { PORTS_MOST = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the next two, and `users` of all ports */
static bool is_known;
static unsigned most; /* the limit of ports besides net_port */

static unsigned wanted(void)
{
    const char *text = setting_text(SETTING_SHMEM_NET_PORTS);
    int n = 0;
    if (text && !number_of(text, 0, PORTS_MOST, &n))
        setting_refuse(SETTING_SHMEM_NET_PORTS, NULL);
    return (unsigned)n;
}

/* While a port's thread computes, the progress thread makes progress; in emulated time, waiting threads do. */
static void find_most(void)
{
    const bool has_progress = net_port.ring || virtual_threads;
    const unsigned possible = has_progress && net_provider->more_ports ? net_provider->more_ports() : 0;
    const unsigned n = possible ? wanted() : 0;
    most = n < possible ? n : possible;
    is_known = true;
}

static struct port *open_one(void)
{
    struct port *port = calloc(1, sizeof *port);
    if (!port)
        return NULL;
    pthread_mutex_init(&port->lock, NULL);
    port->ring = net_port.ring;
    const char *why;
    if (!port_open_another(port, &why)) {
        free(port);
        return NULL;
    }
    port->next = net_port.next;
    net_port.next = port;
    return port;
}

struct port *ports_take(void)
{
    unsigned n = 0;
    struct port *least = NULL;
    pthread_mutex_lock(&lock);
    if (!is_known)
        find_most();
    for (struct port *port = net_port.next; port; port = port->next, n++)
        if (!least || port->users < least->users)
            least = port;
    if (n < most && (!least || least->users)) {
        struct port *another = open_one();
        if (another)
            least = another;
        else
            most = n;
    }
    if (least)
        least->users++;
    pthread_mutex_unlock(&lock);
    return least ? least : &net_port;
}

void ports_give(struct port *port)
{
    if (port == &net_port)
        return;
    pthread_mutex_lock(&lock);
    port->users--;
    pthread_mutex_unlock(&lock);
}

void ports_free(struct port *port)
{
    net_port.next = NULL;
    is_known = false;
    pthread_mutex_destroy(&port->lock);
    free(port);
}
