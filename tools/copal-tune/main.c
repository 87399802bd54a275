/* usage: copal-tune-job measure COLLECTIVE LEAST MOST FACTOR ROUNDS SECONDS [TIMES]
 *        copal-tune-job parameters ROUNDS
 *        copal-tune-job predict COLLECTIVE MEMBERS NODES free|crowded BYTES,... [PARAMETER=SECONDS...]
 *        copal-tune-job memory MEMBERS...
 *        copal-tune-job table | show
 * Started by copal-tune, which checks the arguments. */
#include "job.h"

static enum shcoll_collective collective_named(const char *name)
{
    for (enum shcoll_collective c = 0; c < SHCOLL_COLLECTIVES; c++)
        if (strcmp(shcoll_collective_names[c], name) == 0)
            return c;
    shcoll_fatal("copal-tune: \"%s\" is no collective", name);
}

/* As in a table: "16", or "16/4" for 16 members on 4 nodes. */
enum { MEMBERS_BYTES = 32 };
static const char *members_text(int pes, int nodes, char *text)
{
    snprintf(text, MEMBERS_BYTES, nodes > 1 ? "%d/%d" : "%d", pes, nodes);
    return text;
}

/* The table in use and the model's parameters, in the form of a table's file. */
static void print_table(void)
{
    for (int i = 0; shcoll_parameter_name(i); i++)
        printf("parameter %s %.3g\n", shcoll_parameter_name(i), *shcoll_parameter(&shcoll_parameters, i));
    int n;
    const struct shcoll_rule *table = shcoll_table(&n);
    for (const struct shcoll_rule *line = table; line < table + n; line++) {
        char most[SHCOLL_SIZE_BYTES] = "max", members[MEMBERS_BYTES];
        if (line->most != UINT64_MAX)
            shcoll_size_text(line->most, most);
        members_text(line->pes, line->nodes, members);
        printf("%s %s %s %s %s\n", shcoll_collective_names[line->collective], members,
               line->crowded ? "crowded" : "free", most, line->algorithm);
    }
}

static void set_parameter(const char *setting)
{
    for (int i = 0; shcoll_parameter_name(i); i++) {
        const size_t length = strlen(shcoll_parameter_name(i));
        if (strncmp(setting, shcoll_parameter_name(i), length) == 0 && setting[length] == '=')
            *shcoll_parameter(&shcoll_parameters, i) = strtod(setting + length + 1, NULL);
    }
}

static void run_measure(char **words)
{
    const struct shcoll_shape shape = shape_of(all);
    char members[MEMBERS_BYTES];
    if (shmem_my_pe() == 0)
        printf("group %s %s\n", members_text(shape.size, shape.nodes, members), shape.crowded ? "crowded" : "free");
    measure(collective_named(words[0]), strtoull(words[1], NULL, 10), strtoull(words[2], NULL, 10), atoi(words[3]),
            (struct effort){.rounds = atoi(words[4]), .seconds = strtod(words[5], NULL),
                            .most = words[6] ? strtod(words[6], NULL) : 0});
}

static void run_predict(char **words)
{
    const struct shcoll_shape shape = {.size = atoi(words[1]), .nodes = atoi(words[2]),
                                       .crowded = strcmp(words[3], "crowded") == 0};
    shcoll_placement.node_size = shape.size / shape.nodes; /* not that of this job of one PE */
    shcoll_placement.sharing = shape.size; /* nodes with fewer processors than PEs are usually one machine */
    shcoll_placement.crowded = shape.crowded;
    for (char **setting = words + 5; *setting; setting++)
        set_parameter(*setting);
    shcoll_parameters_take(&shcoll_parameters);
    for (const char *at = words[4]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        predict(collective_named(words[0]), &shape, strtoull(at, NULL, 10));
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    char **words = argv + 2;
    shmem_init();
    shcoll_init();
    all = shcoll_group_create(0, 1, shmem_n_pes());
    if (strcmp(mode, "measure") == 0 && (argc == 8 || argc == 9))
        run_measure(words);
    else if (strcmp(mode, "parameters") == 0 && argc == 3)
        measure_parameters(atoi(words[0]));
    else if (strcmp(mode, "predict") == 0 && argc >= 7)
        run_predict(words);
    else if (strcmp(mode, "table") == 0)
        print_table();
    else if (strcmp(mode, "memory") == 0)
        while (*words)
            predict_memory(atoi(*words++));
    else if (strcmp(mode, "show") == 0) {
        if (shmem_my_pe() == 0)
            shcoll_print_choices(all);
    } else
        shcoll_fatal("copal-tune-job is started by copal-tune, with other arguments");
    shcoll_group_free(all);
    shmem_finalize();
    return 0;
}
