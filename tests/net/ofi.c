/* Tests src/net/ofi against a libfabric that lists NICs like those of Slingshot, EFA and Omni-Path, as their sources
 * and manual pages describe them: the provider and NIC that it chooses, whether it sleeps on a descriptor, its
 * message if an endpoint cannot be opened, the number of pending operations, and its handling of lost messages. The
 * test uses only libfabric's header. */
#include "../check.h"
#include "net/ofi/ofi.h"

#include <poll.h>
#include <sched.h>
#include <string.h>

/* --- NICs --------------------------------------------------------------------------------------------------------- */

#define KEYS (FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY)

struct adapter {
    const char *provider, *fabric, *domain;
    int mr_mode;
    uint64_t mode;
    uint8_t bus; /* 0: libfabric does not report it */
    bool down;
};

static const struct adapter slingshot[] = {
    {"cxi", "cxi", "cxi0", FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY, 0, 0x10, false},
    {"cxi", "cxi", "cxi1", FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY, 0, 0x20, false},
    {"cxi", "cxi", "cxi2", FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY, 0, 0x30, false},
    {"cxi", "cxi", "cxi3", FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY, 0, 0x40, false},
    {"tcp", "10.0.0.0/8", "hsn0", 0, 0, 0, false},
};
static const struct adapter slingshot_with_a_link_down[] = {
    {"cxi", "cxi", "cxi0", FI_MR_ENDPOINT, 0, 0x10, false},
    {"cxi", "cxi", "cxi1", FI_MR_ENDPOINT, 0, 0x20, true},
    {"cxi", "cxi", "cxi2", FI_MR_ENDPOINT, 0, 0x30, false},
};
static const struct adapter efa[] = {
    {"efa", "efa-direct", "rdmap0-rdm", KEYS | FI_MR_LOCAL, FI_CONTEXT2, 0x10, false},
    {"efa", "efa-direct", "rdmap1-rdm", KEYS | FI_MR_LOCAL, FI_CONTEXT2, 0x20, false},
    {"efa", "efa", "rdmap0-rdm", KEYS, 0, 0x10, false},
    {"efa", "efa", "rdmap1-rdm", KEYS, 0, 0x20, false},
    {"tcp", "172.31.0.0/20", "ens5", 0, 0, 0, false},
};
static const struct adapter omni_path[] = {
    {"opx", "ofi", "opx0", 0, FI_CONTEXT2, 0, false},
    {"opx", "ofi", "opx1", 0, FI_CONTEXT2, 0, false},
};
static const struct adapter psm3[] = {{"psm3", "psm3", "eth0", 0, FI_CONTEXT, 0, false}};
static const struct adapter psm2[] = {{"psm2", "psm2", "hfi1_0", 0, FI_CONTEXT, 0, false}};
static const struct adapter tcp[] = {{"tcp", "10.0.0.0/8", "eth0", 0, 0, 0, false}};

static const struct adapter *adapters;
static size_t n_adapters;

/* Processors 0-3, 4-7, ... are near bus 0x10, 0x20, ..., and so are 64-67, 68-71, ..., the second threads. */
static bool knows_places;
static int own_first, own_last;

FILE *__wrap_fopen(const char *path, const char *how);
FILE *__real_fopen(const char *path, const char *how);
FILE *__wrap_fopen(const char *path, const char *how)
{
    static char text[64];
    unsigned bus;
    if (sscanf(path, "/sys/bus/pci/devices/0001:%x:00.0/local_cpulist", &bus) != 1)
        return __real_fopen(path, how);
    const unsigned from = (bus / 16 - 1) * 4;
    snprintf(text, sizeof text, "%u-%u,%u-%u\n", from, from + 3, from + 64, from + 67);
    return knows_places ? fmemopen(text, strlen(text), "r") : NULL;
}

int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    (void)pid;
    memset(set, 0, bytes);
    for (int cpu = own_first; cpu <= own_last; cpu++)
        CPU_SET(cpu, set);
    return 0;
}

/* --- libfabric ---------------------------------------------------------------------------------------------------- */

static uint32_t library, asked;

uint32_t fi_version(void)
{
    return library;
}

const char *fi_strerror(int error)
{
    return strerror(error);
}

static void *copy(const void *from, size_t bytes)
{
    void *to = calloc(1, bytes);
    if (from)
        memcpy(to, from, bytes);
    return to;
}

/* Leaves out the lists and names that no system here has. */
struct fi_info *fi_dupinfo(const struct fi_info *from)
{
    const struct fi_info nothing = {0}, *f = from ? from : &nothing;
    struct fi_info *to = copy(f, sizeof *to);
    to->next = NULL;
    to->tx_attr = copy(f->tx_attr, sizeof *to->tx_attr);
    to->rx_attr = copy(f->rx_attr, sizeof *to->rx_attr);
    to->ep_attr = copy(f->ep_attr, sizeof *to->ep_attr);
    to->domain_attr = copy(f->domain_attr, sizeof *to->domain_attr);
    to->fabric_attr = copy(f->fabric_attr, sizeof *to->fabric_attr);
    to->nic = copy(f->nic, sizeof *to->nic);
    to->nic->bus_attr = copy(f->nic ? f->nic->bus_attr : NULL, sizeof *to->nic->bus_attr);
    to->nic->link_attr = copy(f->nic ? f->nic->link_attr : NULL, sizeof *to->nic->link_attr);
    return to;
}

void fi_freeinfo(struct fi_info *info)
{
    for (struct fi_info *next; info; info = next) {
        next = info->next;
        free(info->nic->link_attr);
        free(info->nic->bus_attr);
        free(info->nic);
        free(info->fabric_attr);
        free(info->domain_attr);
        free(info->ep_attr);
        free(info->rx_attr);
        free(info->tx_attr);
        free(info);
    }
}

static struct fi_info *info_of(const struct adapter *a)
{
    struct fi_info *info = fi_dupinfo(NULL);
    info->fabric_attr->prov_name = (char *)(uintptr_t)a->provider;
    info->fabric_attr->name = (char *)(uintptr_t)a->fabric;
    info->domain_attr->name = (char *)(uintptr_t)a->domain;
    info->domain_attr->mr_mode = a->mr_mode;
    info->mode = a->mode;
    info->nic->link_attr->state = a->down ? FI_LINK_DOWN : FI_LINK_UP;
    info->nic->bus_attr->bus_type = a->bus ? FI_BUS_PCI : FI_BUS_UNKNOWN;
    info->nic->bus_attr->attr.pci = (struct fi_pci_attr){.domain_id = 1, .bus_id = a->bus};
    return info;
}

/* The rule of ofi_check_mr_mode, and the rule of modes (fi_getinfo(3)): every mode that the provider requires must
 * be offered. */
int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags, const struct fi_info *hints,
               struct fi_info **info)
{
    (void)node, (void)service, (void)flags;
    asked = version;
    *info = NULL;
    for (const struct adapter *a = adapters + n_adapters; a-- > adapters;)
        if (!(a->mr_mode & ~hints->domain_attr->mr_mode) && !(a->mode & ~hints->mode)) {
            struct fi_info *one = info_of(a);
            one->next = *info;
            *info = one;
        }
    return *info ? 0 : -FI_ENODATA;
}

static int domain_error, queue_error, queues, waiting_queues;

static int close_it(struct fid *fid)
{
    (void)fid;
    return 0;
}

static int bind_it(struct fid *fid, struct fid *to, uint64_t flags)
{
    (void)fid, (void)to, (void)flags;
    return 0;
}

/* FI_ENABLE; there is no descriptor for FI_GETWAIT. */
static int control(struct fid *fid, int command, void *arg)
{
    (void)fid, (void)arg;
    return command == FI_ENABLE ? 0 : -FI_ENOSYS;
}

static struct fi_ops ops = {.size = sizeof ops, .close = close_it, .bind = bind_it, .control = control};

/* Pending operations, in order; each ends at a poll, if it may. */
static struct {
    void *context[2000];
    fi_addr_t to[2000];
    size_t n, most;
    bool may_end;
    fi_addr_t gone; /* operations on this address fail */
    bool has_lost;  /* an injected message was lost */
    bool overrun;
} wire;
static size_t receives;

static ssize_t take(fi_addr_t to, void *context)
{
    wire.context[wire.n] = context;
    wire.to[wire.n++] = to;
    if (wire.n > wire.most)
        wire.most = wire.n;
    return wire.n == sizeof wire.to / sizeof *wire.to ? -FI_EOTHER : 0;
}

static ssize_t read_queue(struct fid_cq *cq, void *to, size_t n)
{
    (void)cq, (void)n;
    if (wire.overrun)
        return -FI_EOVERRUN;
    if (wire.has_lost || (wire.may_end && wire.n && wire.to[0] == wire.gone))
        return -FI_EAVAIL;
    if (!wire.may_end || !wire.n)
        return -FI_EAGAIN;
    *(struct fi_cq_msg_entry *)to = (struct fi_cq_msg_entry){.op_context = wire.context[0]};
    memmove(wire.context, wire.context + 1, --wire.n * sizeof *wire.context);
    memmove(wire.to, wire.to + 1, wire.n * sizeof *wire.to);
    return 1;
}

static ssize_t read_error(struct fid_cq *cq, struct fi_cq_err_entry *to, uint64_t flags)
{
    (void)cq, (void)flags;
    *to = (struct fi_cq_err_entry){.err = FI_EIO};
    if (wire.has_lost) {
        wire.has_lost = false;
        return 1;
    }
    to->op_context = wire.context[0];
    to->err = FI_EHOSTUNREACH;
    memmove(wire.context, wire.context + 1, --wire.n * sizeof *wire.context);
    memmove(wire.to, wire.to + 1, wire.n * sizeof *wire.to);
    return 1;
}

static int open_queue(struct fid_domain *domain, struct fi_cq_attr *attr, struct fid_cq **cq, void *context)
{
    (void)domain, (void)context;
    static struct fi_ops_cq cq_ops = {.size = sizeof cq_ops, .read = read_queue, .readerr = read_error};
    static struct fid_cq one = {.fid = {.ops = &ops}, .ops = &cq_ops};
    queues++;
    waiting_queues += attr->wait_obj == FI_WAIT_FD;
    *cq = queue_error ? NULL : &one;
    return queue_error;
}

static int insert(struct fid_av *av, const void *address, size_t n, fi_addr_t *to, uint64_t flags, void *context)
{
    (void)av, (void)n, (void)flags, (void)context;
    *to = *(const unsigned char *)address;
    return 1;
}

static int open_table(struct fid_domain *domain, struct fi_av_attr *attr, struct fid_av **av, void *context)
{
    (void)domain, (void)attr, (void)context;
    static struct fi_ops_av av_ops = {.size = sizeof av_ops, .insert = insert};
    static struct fid_av one = {.fid = {.ops = &ops}, .ops = &av_ops};
    *av = &one;
    return 0;
}

static int get_name(struct fid *fid, void *to, size_t *bytes)
{
    (void)fid;
    const size_t room = *bytes;
    *bytes = 8;
    if (room < 8)
        return -FI_ETOOSMALL;
    memset(to, 1, 8);
    return 0;
}

static ssize_t receive(struct fid_ep *ep, void *to, size_t bytes, void *desc, fi_addr_t from, void *context)
{
    (void)ep, (void)to, (void)bytes, (void)desc, (void)from, (void)context;
    receives++;
    return 0;
}

static ssize_t send_one(struct fid_ep *ep, const void *data, size_t bytes, void *desc, fi_addr_t to, void *context)
{
    (void)ep, (void)data, (void)bytes, (void)desc;
    return take(to, context);
}

static ssize_t send_message(struct fid_ep *ep, const struct fi_msg *message, uint64_t flags)
{
    (void)ep, (void)flags;
    return take(message->addr, message->context);
}

static ssize_t inject(struct fid_ep *ep, const void *data, size_t bytes, fi_addr_t to)
{
    (void)ep, (void)data, (void)bytes, (void)to;
    return 0;
}

static ssize_t write_message(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags)
{
    (void)ep, (void)flags;
    return take(message->addr, message->context);
}

static int open_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep, void *context)
{
    (void)domain, (void)info, (void)context;
    static struct fi_ops_cm cm = {.size = sizeof cm, .getname = get_name};
    static struct fi_ops_msg msg = {.size = sizeof msg, .recv = receive, .send = send_one, .sendmsg = send_message,
                                    .inject = inject};
    static struct fi_ops_rma rma = {.size = sizeof rma, .writemsg = write_message};
    static struct fid_ep one = {.fid = {.ops = &ops}, .cm = &cm, .msg = &msg, .rma = &rma};
    *ep = &one;
    return 0;
}

static int open_domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **domain, void *context)
{
    (void)fabric, (void)info, (void)context;
    static struct fi_ops_domain domain_ops = {.size = sizeof domain_ops, .cq_open = open_queue, .av_open = open_table,
                                              .endpoint = open_endpoint};
    static struct fid_domain one = {.fid = {.ops = &ops}, .ops = &domain_ops};
    *domain = domain_error ? NULL : &one;
    return domain_error;
}

int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
    (void)attr, (void)context;
    static struct fi_ops_fabric fabric_ops = {.size = sizeof fabric_ops, .domain = open_domain};
    static struct fid_fabric one = {.ops = &fabric_ops};
    *fabric = &one;
    return 0;
}

/* --- the choice of provider, NIC and version ---------------------------------------------------------------------- */

#define ON(list) (adapters = (list), n_adapters = sizeof(list) / sizeof *(list))

static void begin(int nth)
{
    const char *called;
    fi_freeinfo(ofi_info);
    ofi_info = NULL;
    ofi_fabric = NULL;
    const char *why = ofi_begin(&(struct provider_start){.no_shared_memory = true, .nth = nth}, &called);
    CHECK(!why, "PE %d: %s", nth, why);
}

static void expect_domain(int nth, const char *fabric, const char *domain)
{
    begin(nth);
    if (ofi_info)
        CHECK(strcmp(ofi_info->fabric_attr->name, fabric) == 0 && strcmp(ofi_info->domain_attr->name, domain) == 0,
              "PE %d has taken %s of %s, not %s of %s", nth, ofi_info->domain_attr->name, ofi_info->fabric_attr->name,
              domain, fabric);
}

static void bound_to(int first, int last)
{
    own_first = first;
    own_last = last;
}

static void check_adapters(void)
{
    static const char *const all[] = {"cxi0", "cxi1", "cxi2", "cxi3"};
    knows_places = true;
    ON(slingshot);
    bound_to(0, 127);
    for (int pe = 0; pe < 9; pe++)
        expect_domain(pe, "cxi", all[pe % 4]);
    for (int place = 0; place < 4; place++)
        for (int pe = 0; pe < 3; pe++) {
            bound_to(4 * place + pe, 4 * place + pe);
            expect_domain(pe, "cxi", all[place]);
            bound_to(64 + 4 * place, 64 + 4 * place);
            expect_domain(pe, "cxi", all[place]);
        }
    bound_to(4, 11); /* two NICs are near */
    for (int pe = 0; pe < 4; pe++)
        expect_domain(pe, "cxi", all[1 + pe % 2]);
    bound_to(40, 40); /* no NIC is near */
    for (int pe = 0; pe < 5; pe++)
        expect_domain(pe, "cxi", all[pe % 4]);
    knows_places = false;
    for (int pe = 0; pe < 5; pe++)
        expect_domain(pe, "cxi", all[pe % 4]);
    knows_places = true;
    ON(slingshot_with_a_link_down);
    bound_to(4, 7); /* these processors are near the NIC that is down */
    for (int pe = 0; pe < 4; pe++)
        expect_domain(pe, "cxi", all[pe % 2 * 2]);
    ON(efa); /* the first entries are of efa-direct, whose messages have at most one packet */
    bound_to(0, 127);
    for (int pe = 0; pe < 4; pe++)
        expect_domain(pe, "efa", pe % 2 ? "rdmap1-rdm" : "rdmap0-rdm");
    ON(omni_path); /* its domains do not name the NIC */
    for (int pe = 0; pe < 3; pe++)
        expect_domain(pe, "ofi", "opx0");
}

/* The version is at most the header's and at most the library's. */
static void check_version(void)
{
    const uint32_t header = FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION), best = FI_VERSION(1, 18);
    ON(tcp);
    library = FI_VERSION(1, 17);
    begin(0);
    CHECK(asked == FI_VERSION(1, 11), "a library of 1.17 is asked for %#x", asked);
    library = FI_VERSION(2, 1);
    begin(0);
    CHECK(asked == (header < best ? FI_VERSION(1, 11) : best), "a library of 2.1 is asked for %#x", asked);
}

/* --- ports -------------------------------------------------------------------------------------------------------- */

static const struct provider_upcalls upcalls;

static const char *why_no_port(void)
{
    size_t most;
    const char *why = "";
    queues = waiting_queues = 0;
    CHECK(!ofi_open(&upcalls, NULL, &most, &why), "a port that cannot be opened is open");
    return why;
}

static void check_ports(void)
{
    ON(tcp);
    begin(0);
    domain_error = -FI_EINVAL;
    CHECK(strstr(why_no_port(), "fi_domain") && strstr(why_no_port(), strerror(FI_EINVAL)), "the sentence is \"%s\"",
          why_no_port());
    domain_error = 0;
    queue_error = -FI_ENOSYS;
    CHECK(strstr(why_no_port(), "fi_cq_open"), "the sentence is \"%s\"", why_no_port());
    CHECK(queues == 2 && waiting_queues == 1, "of %d queues %d had a descriptor", queues, waiting_queues);
    queue_error = 0;
}

/* A sleeping thread is woken if there is no descriptor, or if nothing would ever write to the descriptor. */
static void check_sleep(bool gives_descriptor)
{
    size_t most;
    const char *why = "";
    queues = waiting_queues = 0;
    begin(0);
    struct provider_port *port = ofi_open(&upcalls, NULL, &most, &why);
    CHECK(port && queues == 1 && waiting_queues == !gives_descriptor, "%s: %s; of %d queues %d had a descriptor",
          adapters->provider, why, queues, waiting_queues);
    if (!port)
        return;
    for (int i = 0; i < 3; i++) {
        ofi_progress(port);
        struct pollfd sleep = {.fd = ofi_event_fd(port), .events = POLLIN};
        CHECK(ofi_arm(port), "%s: it cannot be armed", adapters->provider);
        CHECK(poll(&sleep, 1, 20000) == 1, "%s: nobody is woken", adapters->provider);
    }
    ofi_close(port);
}

/* --- peers -------------------------------------------------------------------------------------------------------- */

enum { PEERS = 3 };

static struct provider_endpoint *peer[PEERS];
static const char *broken_by[PEERS];

static void note_broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user;
    for (int i = 0; i < PEERS; i++)
        if (peer[i] == endpoint)
            broken_by[i] = why;
}

static struct provider_port *open_with_peers(void)
{
    static const struct provider_upcalls noting = {.broken = note_broken};
    size_t most;
    const char *why = "";
    begin(0);
    ofi_info->tx_attr->inject_size = 64;
    ofi_info->rx_attr->size = 1024;
    ofi_info->ep_attr->max_msg_size = 1 << 20;
    memset(&wire, 0, sizeof wire);
    wire.gone = FI_ADDR_UNSPEC;
    receives = 0;
    struct provider_port *port = ofi_open(&noting, NULL, &most, &why);
    for (unsigned char i = 0; port && i < PEERS; i++) {
        enum { NAME = sizeof(struct ofi_address) };
        const unsigned char address[NAME + 8] = {[0] = i, [NAME] = i};
        peer[i] = ofi_connect(port, address, sizeof address, &why);
        broken_by[i] = NULL;
    }
    CHECK(port && peer[0] && peer[PEERS - 1], "%s", why);
    return port;
}

static size_t done;

static void count(void *arg, bool failed)
{
    (void)arg;
    done += !failed;
}

/* Pending operations and posted receives never fill a completion queue of the usual size. */
static void check_queue(void)
{
    static char data[8];
    enum { PUTS = 1500 };
    struct provider_port *port = open_with_peers();
    struct provider_key key = {0};
    done = 0;
    for (int i = 0; i < PUTS; i++)
        done += ofi_put(peer[i % PEERS], 0, &key, data, sizeof data, count, NULL);
    CHECK(wire.most > 100 && wire.most + receives <= 1024, "%zu operations and %zu receives are under way", wire.most,
          receives);
    wire.may_end = true;
    for (int i = 0; i < 10 * PUTS && done < PUTS; i++)
        ofi_progress(port);
    CHECK(done == PUTS && !wire.n, "%zu of %d puts are complete, %zu are under way", done, PUTS, wire.n);
    CHECK(wire.most + receives <= 1024, "%zu operations and %zu receives were under way", wire.most, receives);
    ofi_close(port);
}

/* Sends an injected message to each peer; one message is lost. */
static struct provider_port *open_and_lose(fi_addr_t gone)
{
    struct provider_port *port = open_with_peers();
    wire.may_end = true;
    for (int i = 0; i < PEERS; i++)
        ofi_send(peer[i], "hello", 5, false, count, NULL);
    for (int i = 0; i < 10; i++)
        ofi_progress(port);
    CHECK(!broken_by[0] && !broken_by[1] && !broken_by[2] && !wire.n, "%zu are under way", wire.n);
    wire.gone = gone;
    wire.has_lost = true;
    for (int i = 0; i < 10; i++)
        ofi_progress(port);
    return port;
}

static void check_losses(void)
{
    struct provider_port *port = open_and_lose(1);
    CHECK(!broken_by[0] && broken_by[1] && strcmp(broken_by[1], strerror(FI_EHOSTUNREACH)) == 0 && !broken_by[2],
          "the message about the lost peer is \"%s\"", broken_by[1] ? broken_by[1] : "there");
    wire.has_lost = true; /* the library must attribute the error to the lost message */
    for (int i = 0; i < 10; i++)
        ofi_progress(port);
    CHECK(!broken_by[0] && !broken_by[2], "a live peer counts as lost");
    ofi_close(port);
    port = open_and_lose(FI_ADDR_UNSPEC); /* all peers answer */
    for (int i = 0; i < PEERS; i++)
        CHECK(broken_by[i] && strstr(broken_by[i], "lost") && strstr(broken_by[i], strerror(FI_EIO)),
              "peer %d is %s", i, broken_by[i] ? broken_by[i] : "there, and may wait for ever");
    ofi_close(port);
    port = open_with_peers();
    wire.overrun = true;
    ofi_progress(port);
    for (int i = 0; i < PEERS; i++)
        CHECK(broken_by[i] && strstr(broken_by[i], "fi_cq_read"), "peer %d is %s after an overrun", i,
              broken_by[i] ? broken_by[i] : "there");
    ofi_close(port);
}

int main(void)
{
    library = FI_VERSION(1, 17);
    check_adapters();
    check_version();
    check_ports();
    ON(omni_path);
    check_sleep(false);
    ON(psm3);
    check_sleep(true);
    ON(psm2);
    check_sleep(true);
    ON(tcp);
    check_queue();
    check_losses();
    fi_freeinfo(ofi_info);
    return check_result();
}
