/* Tuning tables. A line gives the algorithm of a collective up to a number of bytes:
 *
 * # collective  members  processors  up to  algorithm
 * reduce        4        free        496    recursive_doubling:slots
 * reduce        4        free        max    parts
 * reduce        64/4     free        max    two_level
 *
 * crowded is for nodes with more PEs than processors, free for others; 64/4 are 64 members on 4 nodes. The lines of a
 * group (same collective, members and processors) go up to max. A line such as "parameter gamma 3e-11" sets one of the
 * cost model's parameters. */
#include "table.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* --- parameters --------------------------------------------------------------------------------------------------- */

#define PARAMETER(NAME, FIELD) {NAME, offsetof(struct shcoll_parameters, FIELD)}
static const struct {
    const char *name;
    size_t offset;
} parameter_names[] = {
    PARAMETER("node.alpha", node.alpha), PARAMETER("node.gap", node.gap), PARAMETER("node.beta", node.beta),
    PARAMETER("net.alpha", net.alpha), PARAMETER("net.gap", net.gap), PARAMETER("net.beta", net.beta),
    PARAMETER("copy", copy), PARAMETER("adapter", adapter), PARAMETER("reply", reply),
    PARAMETER("across", across),
    PARAMETER("crowded_alpha", crowded_alpha), PARAMETER("gamma", gamma), PARAMETER("atomic", atomic),
    PARAMETER("turn", turn), PARAMETER("line", line), PARAMETER("memory", memory), PARAMETER("slot", slot),
    PARAMETER("net_atomic", net_atomic),
};
enum { PARAMETERS = sizeof parameter_names / sizeof *parameter_names };

const char *shcoll_parameter_name(int i)
{
    return i < PARAMETERS ? parameter_names[i].name : NULL;
}

double *shcoll_parameter(struct shcoll_parameters *parameters, int i)
{
    return i < PARAMETERS ? (double *)((char *)parameters + parameter_names[i].offset) : NULL;
}

static void read_parameter(const char *name, const char *value, struct shcoll_parameters *to, const char *where)
{
    char *end;
    /* The program's locale may use a decimal comma. */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), programs = uselocale(plain);
    const double seconds = strtod(value, &end);
    uselocale(programs);
    freelocale(plain);
    for (int i = 0; i < PARAMETERS; i++)
        if (strcmp(parameter_names[i].name, name) == 0) {
            if (*end || !(seconds >= 0 && seconds < 1))
                shcoll_fatal("%s: parameter %s is \"%s\"; allowed are seconds, less than 1", where, name, value);
            *shcoll_parameter(to, i) = seconds;
            return;
        }
    char names[256] = "";
    for (int i = 0; i < PARAMETERS; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", parameter_names[i].name);
    shcoll_fatal("%s: \"%s\" is no parameter; allowed are %s", where, name, names);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

enum { FIELDS = 5, FIELD_BYTES = 64, LINE_BYTES = 512 };

static bool same_group(const struct shcoll_rule *a, const struct shcoll_rule *b)
{
    return a->collective == b->collective && a->pes == b->pes && a->nodes == b->nodes && a->crowded == b->crowded;
}

/* "16", or "16/4". */
static void read_members(const char *text, struct shcoll_rule *rule, const char *where)
{
    int used = 0;
    rule->nodes = 1;
    if (sscanf(text, "%9d%n/%9d%n", &rule->pes, &used, &rule->nodes, &used) < 1 || text[used] || rule->pes < 1 ||
        rule->nodes < 1 || rule->nodes > rule->pes)
        shcoll_fatal("%s: \"%s\" is no number of members; allowed are numbers like 16, or 16/4 for 16 on 4 nodes",
                     where, text);
}

static void read_rule(char fields[][FIELD_BYTES], struct shcoll_rules *to, int first, const char *where)
{
    struct shcoll_rule rule = {.crowded = strcmp(fields[2], "crowded") == 0};
    while (strcmp(fields[0], shcoll_collective_names[rule.collective]) != 0)
        if (++rule.collective == SHCOLL_COLLECTIVES)
            shcoll_fatal("%s: \"%s\" is no collective; allowed are sync, broadcast, fcollect, collect, alltoall, "
                         "alltoalls, reduce, inscan, exscan, and parameter", where, fields[0]);
    read_members(fields[1], &rule, where);
    if (!rule.crowded && strcmp(fields[2], "free") != 0)
        shcoll_fatal("%s: processors are \"%s\"; allowed are free and crowded", where, fields[2]);
    if (strcmp(fields[3], "max") == 0)
        rule.most = UINT64_MAX;
    else if (!shcoll_size_of(fields[3], strlen(fields[3]), &rule.most))
        shcoll_fatal("%s: \"%s\" is no number of bytes; allowed are numbers, with k, M or G for powers of 1024, and "
                     "max", where, fields[3]);
    for (int i = first; i < to->n; i++)
        if (same_group(&to->rule[i], &rule) && to->rule[i].most >= rule.most)
            shcoll_fatal("%s: %s after a line of the same kind that includes it; allowed are lines in ascending order",
                         where, fields[3]);
    shcoll_rule_add(to, rule, fields[4], strlen(fields[4]), where);
}

static void read_line(const char *line, struct shcoll_rules *to, int first, struct shcoll_parameters *parameters,
                      const char *where)
{
    char fields[FIELDS + 1][FIELD_BYTES];
    int n = 0;
    for (int used; n <= FIELDS && sscanf(line, "%63s%n", fields[n], &used) == 1; n++)
        line += used;
    if (n == 0)
        return;
    const bool parameter = strcmp(fields[0], "parameter") == 0;
    if (n != (parameter ? 3 : FIELDS))
        shcoll_fatal("%s has %d words%s; allowed are \"collective members free|crowded bytes|max algorithm\" and "
                     "\"parameter name seconds\"", where, n, n > FIELDS ? " and more" : "");
    if (parameter)
        read_parameter(fields[1], fields[2], parameters, where);
    else
        read_rule(fields, to, first, where);
}

/* Each group's last line must have no limit; otherwise the table would have gaps that are hard to notice. */
static void check_groups(const struct shcoll_rules *of, int first, const char *file)
{
    for (int i = first; i < of->n; i++) {
        bool whole = false;
        for (int j = i; j < of->n; j++)
            whole |= same_group(&of->rule[i], &of->rule[j]) && of->rule[j].most == UINT64_MAX;
        if (!whole)
            shcoll_fatal("SHCOLL_TABLE is \"%s\": the lines of %s for %d %s members must go up to max",
                         file, shcoll_collective_names[of->rule[i].collective], of->rule[i].pes,
                         of->rule[i].crowded ? "crowded" : "free");
    }
}

void shcoll_table_read(const char *file, struct shcoll_rules *to, struct shcoll_parameters *parameters)
{
    char line[LINE_BYTES], where[LINE_BYTES];
    const int first = to->n;
    FILE *table = fopen(file, "r");
    for (int number = 1; table && fgets(line, sizeof line, table); number++) {
        snprintf(where, sizeof where, "SHCOLL_TABLE is \"%.*s\": line %d", (int)sizeof where - 64, file, number);
        if (!strchr(line, '\n') && !feof(table))
            shcoll_fatal("%s is too long; allowed are %d characters", where, LINE_BYTES - 2);
        line[strcspn(line, "#")] = 0;
        read_line(line, to, first, parameters, where);
    }
    if (!table || ferror(table))
        shcoll_fatal("SHCOLL_TABLE is \"%s\", which cannot be read: %s; allowed are a table that copal-tune has "
                     "written, and none", file, strerror(errno));
    fclose(table);
    check_groups(to, first, file);
}

/* --- the choice --------------------------------------------------------------------------------------------------- */

/* The distance of a shape from a line's group: the ratio of their members times the ratio of their nodes, so 1 if both
 * are equal. 0: the line is not used, because a ratio is larger than FARTHEST, or because only one of the two is
 * oversubscribed or on several nodes. */
enum { FARTHEST = 2, NOWHERE = 100 };

static double ratio(double a, double b)
{
    return a > b ? a / b : b / a;
}

static double distance(const struct shcoll_rule *line, const struct shcoll_shape *shape)
{
    if (line->crowded != shape->crowded || (line->nodes > 1) != (shape->nodes > 1))
        return 0;
    const double members = ratio(line->pes, shape->size), nodes = ratio(line->nodes, shape->nodes), d = members * nodes;
    if (members > FARTHEST || nodes > FARTHEST)
        return 0;
    return line->pes > shape->size ? d * (1 + 1e-9) : d; /* at equal distance, prefer the smaller */
}

/* Uses the line of the nearest group if it suits the shape, otherwise the line of the next nearest group. */
bool shcoll_table_choice(const struct shcoll_rule *table, int n, enum shcoll_collective collective,
                         const struct shcoll_shape *shape, size_t bytes, struct shcoll_choice *choice,
                         struct shcoll_bounds *same)
{
    for (double tried = 0;;) {
        double nearest = NOWHERE;
        for (int i = 0; i < n; i++) {
            const double d = table[i].collective == collective ? distance(&table[i], shape) : 0;
            nearest = d > tried && d < nearest ? d : nearest;
        }
        if (nearest == NOWHERE)
            return false;
        for (int i = 0; i < n; i++)
            if (table[i].collective == collective && distance(&table[i], shape) == nearest &&
                shcoll_rule_holds(&table[i], bytes, same)) {
                *choice = shcoll_rule_choice(&table[i], shape, bytes);
                if (choice->algorithm && shcoll_suits(*choice, shape, bytes))
                    return true;
                break;
            }
        tried = nearest;
    }
}
