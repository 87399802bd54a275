/* Programs as text: "3+1 near-late node=6 sync=counter group=reverse from=7: reduce=two_level:get bytes=1000; sync". */
#include "programs.h"

#include <stdlib.h>

static const char *const group_names[GROUPS] = {"world", "reverse", "list", "part", "created", "pSync"};
static const char *const more_names[] = {"barrier", "telling"};

static _Noreturn void refuse(const char *what, const char *text)
{
    fprintf(stderr, "schedules: the program's text has \"%s\", which is no %s; docs/testing.md has an example\n", text,
            what);
    exit(2);
}

static const char *after(const char *word, const char *key)
{
    const size_t n = strlen(key);
    return strncmp(word, key, n) == 0 ? word + n : NULL;
}

static void read_head(struct program *p, char *text)
{
    char *rest = text;
    for (const char *word, *value; (word = strtok_r(rest, " ", &rest));) {
        if (word[0] >= '0' && word[0] <= '9')
            snprintf(p->layout, sizeof p->layout, "%s", word);
        else if (strcmp(word, "near-late") == 0)
            p->near_is_late = true;
        else if (strcmp(word, "in-order") == 0)
            p->in_order = true;
        else if (strcmp(word, "crowded") == 0)
            p->crowded = true;
        else if ((value = after(word, "node=")))
            p->node_size = atoi(value);
        else if ((value = after(word, "from=")))
            p->from = (unsigned)atoi(value);
        else if ((value = after(word, "sync=")))
            snprintf(p->sync, sizeof p->sync, "%s", value);
        else if ((value = after(word, "group="))) {
            int group = 0;
            while (group < GROUPS && strcmp(group_names[group], value) != 0)
                group++;
            if (group == GROUPS)
                refuse("group", value);
            p->group = (enum group_kind)group;
        } else
            refuse("part of the text before the calls", word);
    }
}

static int what_of(const char *name)
{
    for (int i = 0; i < SHCOLL_COLLECTIVES; i++)
        if (strcmp(name, shcoll_collective_names[i]) == 0)
            return i;
    for (int i = SHCOLL_COLLECTIVES; i < CALLS; i++)
        if (strcmp(name, more_names[i - SHCOLL_COLLECTIVES]) == 0)
            return i;
    refuse("collective", name);
}

static void read_call(struct call *call, char *text)
{
    char *rest = text, *word = strtok_r(rest, " ", &rest), *algorithm = word ? strchr(word, '=') : NULL;
    const char *value;
    struct trial *t = &call->trial;
    *call = (struct call){.trial = {.n = 8, .size = 1, .dst = 1, .sst = 1}};
    if (!word)
        refuse("call", "");
    if (algorithm)
        *algorithm++ = 0;
    call->what = what_of(word);
    t->what = call->what < SHCOLL_COLLECTIVES ? (enum shcoll_collective)call->what : SHCOLL_SYNC;
    if (algorithm && !(t->by = shcoll_find(t->what, algorithm)).algorithm)
        refuse("algorithm", algorithm);
    while ((word = strtok_r(rest, " ", &rest))) {
        if ((value = after(word, "bytes=")))
            t->n = (size_t)atol(value);
        else if ((value = after(word, "root=")))
            t->root = atoi(value);
        else if ((value = after(word, "kind=")))
            call->kind = atoi(value) % KINDS;
        else if ((value = after(word, "size=")))
            t->size = (size_t)atol(value);
        else if ((value = after(word, "dst=")))
            t->dst = atoi(value);
        else if ((value = after(word, "sst=")))
            t->sst = atoi(value);
        else if ((value = after(word, "off=")))
            t->shift = (size_t)atol(value);
        else if (strcmp(word, "in-place") == 0)
            t->in_place = true;
        else if (strcmp(word, "to-root") == 0)
            t->to_root = true;
        else
            refuse("part of a call", word);
    }
    t->n /= t->size;
}

void program_read(struct program *p, const char *text)
{
    char copy[PROGRAM_TEXT];
    snprintf(copy, sizeof copy, "%s", text);
    char *calls = strchr(copy, ':');
    *p = (struct program){.layout = "2"};
    if (!calls)
        refuse("program: a colon is missing", text);
    *calls++ = 0;
    read_head(p, copy);
    for (char *call; p->n < MOST_CALLS && (call = strtok_r(calls, ";,", &calls));)
        read_call(&p->call[p->n++], call);
}

const char *program_text(const struct program *p, char *text)
{
    FILE *to = fmemopen(text, PROGRAM_TEXT, "w");
    fprintf(to, "%s%s%s%s", p->layout, p->near_is_late ? " near-late" : "", p->in_order ? " in-order" : "",
            p->crowded ? " crowded" : "");
    if (p->node_size)
        fprintf(to, " node=%d", p->node_size);
    if (*p->sync)
        fprintf(to, " sync=%s", p->sync);
    fprintf(to, " group=%s from=%u", group_names[p->group], p->from);
    for (int i = 0; i < p->n; i++) {
        const struct call *c = &p->call[i];
        const struct trial *t = &c->trial;
        char name[SHCOLL_NAME_BYTES] = "";
        const bool more = c->what >= SHCOLL_COLLECTIVES;
        fprintf(to, "%s%s", i ? "; " : ": ",
                more ? more_names[c->what - SHCOLL_COLLECTIVES] : shcoll_collective_names[c->what]);
        if (t->by.algorithm)
            fprintf(to, "=%s", shcoll_name(t->by, name));
        if (more || c->what == SHCOLL_SYNC)
            continue;
        fprintf(to, " bytes=%zu", t->n * t->size);
        if (t->what == SHCOLL_BROADCAST || t->to_root)
            fprintf(to, " root=%d", t->root);
        if (t->what == SHCOLL_ALLTOALLS)
            fprintf(to, " size=%zu dst=%d sst=%d", t->size, (int)t->dst, (int)t->sst);
        if (is_reduction(t->what))
            fprintf(to, " kind=%d%s%s", c->kind, t->in_place ? " in-place" : "", t->to_root ? " to-root" : "");
        if (t->shift)
            fprintf(to, " off=%zu", t->shift);
    }
    fclose(to);
    return text;
}
