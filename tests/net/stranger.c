/* Tries to access a PE by the job's own network module, given the PE's endpoint address:
 * stranger MODULE ADDRESS KEY REMOTE messages|memory|answered
 * ADDRESS and KEY are files with the PE's contact information, REMOTE is an address in the PE. Prints the data that it
 * has got. */
#include "net/provider.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 4096, MESSAGES = 8 };

static int outstanding, patience = 2; /* s */
static bool has_come;

static void message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user, (void)data, (void)bytes, (void)reply;
    has_come = true;
}

static void broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user, (void)endpoint;
    printf("broken: %s\n", why);
}

static void counted(void *arg, bool failed)
{
    outstanding--;
    if (arg && !failed)
        *(bool *)arg = true;
}

static void count(bool is_done, bool *worked)
{
    outstanding += !is_done;
    if (worked && is_done)
        *worked = true;
}

static size_t read_file(const char *path, void *to)
{
    FILE *file = fopen(path, "rb");
    const size_t bytes = file ? fread(to, 1, ROOM, file) : 0;
    if (file)
        fclose(file);
    return bytes;
}

/* A stranger's request may get no reply. */
static void complete(const struct provider *provider, struct provider_port *port)
{
    for (const time_t end = time(NULL) + patience; outstanding && time(NULL) < end;)
        provider->progress(port);
}

int main(int argc, char **argv)
{
    static _Alignas(16) char address[ROOM], packed[ROOM], dest[64], source[64];
    const char *why = "";
    void *module = argc == 6 ? dlopen(argv[1], RTLD_NOW) : NULL;
    const struct provider *provider = module ? dlsym(module, PROVIDER_SYMBOL) : NULL;
    if (!provider) {
        fprintf(stderr, "stranger: %s\n", argc == 6 ? dlerror() : "wrong arguments");
        return 2;
    }
    why = provider->begin(&(struct provider_start){.no_shared_memory = true, .watched = true});
    static const struct provider_upcalls upcalls = {.message = message, .broken = broken};
    struct provider_port *port = why ? NULL : provider->open(&upcalls, NULL, &why);
    const size_t bytes = read_file(argv[2], address);
    read_file(argv[3], packed);
    struct provider_endpoint *peer = port ? provider->connect(port, address, bytes, &why) : NULL;
    struct provider_key *key = peer ? provider->key_open(peer, packed, &why) : NULL;
    if (!key) {
        fprintf(stderr, "stranger: %s\n", why);
        return 2;
    }
    const uint64_t remote = strtoull(argv[4], NULL, 0);
    if (strcmp(argv[5], "answered") == 0)
        patience = 300;
    bool read = false;
    printf("uid %d\n", (int)getuid());
    for (int i = 0; i < MESSAGES && strcmp(argv[5], "messages") == 0; i++)
        count(provider->send(peer, "strange", 8, true, counted, NULL), NULL);
    count(provider->get(peer, remote, key, dest, sizeof dest - 1, counted, &read), &read);
    complete(provider, port);
    printf(read ? "read: %s\n" : "read nothing\n", dest);
    memset(source, 'x', sizeof source);
    count(provider->put(peer, remote, key, source, sizeof source, counted, NULL), NULL);
    count(provider->flush(peer, counted, NULL), NULL);
    complete(provider, port);
    printf("%s\n", has_come ? "a message has come" : "no message has come");
    fflush(stdout);
    _exit(0);
}
