/* -Wcaf: warnings about coarray statements that gfortran accepts and compiles wrongly, and about loops that wait for
 * a coarray without any ordering; and the corrections that replace a warning. */
#ifndef COPAL_CAF_PLUGIN_WARN_H
#define COPAL_CAF_PLUGIN_WARN_H

#include <algorithm>
#include <map>
#include <set>

#include "plugin.h"

/* The known contents of a descriptor, which is a variable of gfortran. */
struct described {
    tree dtype = NULL;          /* the CONSTRUCTOR of the last store */
    bool lost = false;          /* it described objects, and now describes one of their components */
    tree data = NULL;           /* without conversions */
    tree stride = NULL;         /* stride of the first dimension */
    bool varies = false;        /* its shape is not constant */
    bool filled = false;        /* it has the result of a get */
    bool freed = false;         /* the target of data */
    location_t copied = UNKNOWN_LOCATION;    /* a get has allocated data there, and nothing has freed it since */
};

enum { TYPE_COMPLEX = 4, TYPE_DERIVED = 5, TYPE_CHARACTER = 6 };    /* as in gfortran's libgfortran.h */

struct jump {
    location_t place;
    tree to;
    int teams;
};

struct procedure {
    tree function;
    location_t place = UNKNOWN_LOCATION;    /* location of the current statement */
    std::map<tree, described> descriptors;
    std::set<tree> known;                   /* gfortran's own variables that have a value */
    std::set<tree> constant;                /* those of `known` that are objects with their type's default values */
    std::map<tree, location_t> own;         /* local allocatable coarrays: where they are declared */
    std::map<tree, HOST_WIDE_INT> hashes;   /* hashes of accessors, by the variables for their numbers (15, 16) */
    std::set<std::string> got;              /* places of statements with a get (15, 16) */
    std::set<tree> copies, units;           /* copies of coindexed objects; units with such a copy (15, 16) */
    std::set<tree> parts;                   /* ASSOCIATE names for coarrays (15) */
    int teams = 0;                          /* change team without end team so far */
    std::map<tree, int> labels;             /* the value of `teams` at each label */
    std::vector<jump> jumps;
    tree copied = NULL;                     /* the object whose component the last condition tests */
};

/* --- warn.cc */

void caf_warning(location_t place, const std::string &text);
/* The last characters of a name that gfortran generates, such as "desc.17", are its own; a variable without a name
 * has "". */
bool is_named(tree variable, const char *name);
bool is_prefixed(tree declaration, const char *with);    /* whether its name begins so */
bool begins(const std::string &text, const char *with);
tree base_of(tree expression);              /* the variable that it is in, through components, elements, pointers */
tree variable_at(tree argument);            /* the variable whose address the argument is */
const char *function_of(tree call);         /* its name, "" if it is called by a pointer */
bool is_component(tree t, const char *name);    /* a reference of the component with that name */

/* The first part of an expression or a statement that is wanted; NULL: none. */
template <typename F> tree find_in(tree where, F is_wanted)
{
    auto look = [](tree *at, int *, void *data) -> tree { return (*(F *)data)(*at) ? *at : NULL; };
    return walk_tree_without_duplicates(&where, look, &is_wanted);
}

/* The three files of rules: their views of a procedure's statements, in order. */
void check_direct_store(procedure &p, tree to, tree value);
void check_direct_call(procedure &p, tree call, const char *name);
void end_direct(procedure &p);

void note_accessors(tree body);             /* called before all others, for each function */
void check_accessor_store(procedure &p, tree to, tree value);
void check_accessor_call(procedure &p, tree call, const char *name);
void check_accessor_variable(procedure &p, tree variable);
void check_specifications(); /* of all functions */

void check_store(procedure &p, tree to, tree value);
void check_call(procedure &p, tree call, const char *name);
void check_unset(procedure &p, tree call, const char *name);
void check_jump(procedure &p, tree to);     /* NULL: a return */
void end_jumps(procedure &p);
void check_loop(procedure &p, tree loop);

/* --- mend.cc: corrects the trees of a function -------------------------------------------------------------------- */
void mend(tree function);
void mend_purity(); /* of all functions */

/* --- warn_direct.cc */

described *described_at(procedure &p, tree call, int argument);    /* empty if nothing is known */
int field_of(const described &d, const char *name);    /* a field of the dtype; -1 if it is not known */

/* --- warn_source.cc */

/* The text of the statement at a source line, in lower case, without comments and blanks, with empty strings; and the
 * two sides of the first coindexed assignment in it. */
struct source_statement {
    std::string text, left, right;
};
source_statement statement_at(location_t place);
bool matches(const std::string &text, const char *pattern); /* a literal: its address finds the compiled one */
bool has_subscripts(const std::string &text);
bool has_nested_image(std::string text);
bool has_image(const std::string &text, bool within = false); /* as h(1)[2]; within brackets, as h(x[2]) */
bool is_variable(const std::string &text);
std::vector<int> lines_that_specify_by_image(const char *file, int first);
int substring_length(const std::string &text);

#endif
