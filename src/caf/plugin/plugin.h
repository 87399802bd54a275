/* The parts of the plugin, for each other.
 *
 *   descriptors   reads the descriptors and references that a call is given from the stores before it
 *   direct        gfortran 12 to 14: send, get
 *   references    gfortran 12 to 14: send_by_ref, get_by_ref
 *   emit          the near check, the bounds check, statements
 *   ranges        bounds checks of loops
 *   report        -fcaf-report
 *   warn          -Wcaf, before any of these, with rules of its own (warn.h)
 *   mend          makes right what gfortran gets wrong
 *
 * A function's calls of the library are looked at in two steps: first all are recognised, while nothing is changed;
 * then what takes their place is emitted. */
#ifndef COPAL_CAF_PLUGIN_H
#define COPAL_CAF_PLUGIN_H

#include "gcc.h"
#include "layout.h"

struct plugin_options {
    bool near = true;   /* loads and stores instead of calls */
    bool bounds = true; /* offsets are checked against the coarray's bytes, as the library does */
    bool report = false;
    bool warn = true, error = false; /* -Wcaf, -Werror=caf */
};
extern plugin_options options;

/* --- descriptors.cc ----------------------------------------------------------------------------------------------- */

enum { MOST_RANK = 15 };

/* struct gfortran_descriptor (src/caf/gfortran/abi.h) */
enum descriptor_offset {
    D_DATA = 0, D_OFFSET = 8, D_ELEM_LEN = 16, D_VERSION = 24, D_RANK = 28, D_TYPE = 29, D_ATTRIBUTE = 30, D_SPAN = 32,
    D_DIM = 40,
};
enum { D_DIM_SIZE = 24 };
enum dim_word { STRIDE, LOWER, UPPER };

/* A local variable whose address a call is given, and what the stores before the call have put into it. */
struct argument {
    tree variable = NULL;
    std::vector<gimple *> stores; /* the last one first */
    std::vector<gimple *> loads;  /* between the stores and the call */
    bool is_private = false;      /* no other statement mentions it */
};

struct descriptor : argument {
    tree data = NULL, elem_len = NULL, rank = NULL, type = NULL, span = NULL;
    tree dim[MOST_RANK][3] = {};
};

/* struct reference (src/caf/gfortran/direct/direct.h) */
enum reference_type { COMPONENT, ARRAY, STATIC_ARRAY };
enum subscript_mode { MODE_END, MODE_VECTOR, MODE_FULL, MODE_RANGE, MODE_SINGLE, MODE_OPEN_END, MODE_OPEN_START };
struct reference : argument {
    tree next = NULL, type = NULL, item_size = NULL;
    tree offset = NULL, token_offset = NULL; /* of a component */
    tree mode[MOST_RANK + 1] = {}, start[MOST_RANK] = {}, end[MOST_RANK] = {}, step[MOST_RANK] = {};
};

/* Finds all statements that mention each local variable of the function; to be called before the two functions below,
 * and again for the next function. */
void arguments_begin(function *fun);

/* False: what the call is given cannot be told from the stores before it. */
bool read_descriptor(descriptor *d, gimple *call, tree address);
bool read_reference(reference *r, gimple *call, tree address);

/* The loads between are of the stored values from now on. To be called before either of the two functions below. */
void forward_descriptor(descriptor *d);

/* Removes the stores, as no call needs them any more; or moves them to just before the call. Stores that other
 * statements need stay where they are. */
void argument_drop(argument *a);
void argument_sink(argument *a, gimple *call);

/* The asm("":::"memory") that gfortran has put beside the call; or NULL. */
gimple *barrier_of(gimple *call, bool is_put);

void remove_statement(gimple *g);

/* --- a coindexed access ------------------------------------------------------------------------------------------- */

struct coindexed {
    gcall *call;
    bool is_put;
    tree token, offset, image;
    descriptor there, here;            /* the coindexed side at this image's own address; the other side */
    std::vector<reference> references; /* from the coarray to the data; empty: it is there */
    gimple *barrier = NULL;
    const char *form = NULL; /* what it is, for the report */
    const char *why = NULL;  /* it stays a call */
    void (*emit)(coindexed *) = NULL;
};

/* For recognisers: return stays_call(a, "why"). */
inline bool stays_call(coindexed *a, const char *why)
{
    a->why = why;
    return false;
}

/* The type of the elements at the descriptor's data, if it is the intrinsic one of its number and size; or NULL. */
tree element_type(const descriptor *d);

/* Recognisers set all of the access, or why. */
bool recognise_direct(coindexed *a);
bool recognise_references(coindexed *a);

/* --- emit.cc: statements at the end of a sequence ----------------------------------------------------------------- */

void emit_begin(); /* types and functions; may be called again */
extern const ggc_root_tab emit_roots[];
tree fresh(tree type);
tree emit(gimple_seq *seq, tree type, enum tree_code code, tree a, tree b = NULL);
tree emit_convert(gimple_seq *seq, tree type, tree a);
tree emit_op(gimple_seq *seq, enum tree_code code, tree a, tree b); /* of integer(8) */
tree emit_add(gimple_seq *seq, tree pointer, tree bytes);
tree memory(tree type, tree at, HOST_WIDE_INT offset, tree alias_type);

/* A word of the library's, which no store of the program's changes. */
tree emit_load_word(gimple_seq *seq, tree result, tree at, HOST_WIDE_INT offset);

/* A word of a descriptor in the program's memory. */
tree emit_load_index(gimple_seq *seq, tree at, HOST_WIDE_INT offset);

/* Whether g loads a coarray's bytes. */
bool is_load_of_bytes(gimple *g);

/* The block of the call is cut: what is before it, then conditions, each of which leads to the slow block if it does
 * not hold, then what is fast, then what is behind the call. Statements go to seq. */
struct branching {
    basic_block at, slow, join;
    gimple *call;
    gimple_seq seq;
};
branching fork_at(gimple *call);
void only_if(branching *f, enum tree_code code, tree a, tree b);
edge fork_end(branching *f);

/* The image is near: its memory's distance from this image's. */
tree only_if_near(branching *f, tree image, tree *table);

/* bytes: NULL: those of one object, of which the coarray consists. */
void only_if_inside(branching *f, tree token, tree offset, tree bytes, tree table);

/* The slow way of a scalar of up to 16 bytes, by value. Returns what a get got. */
bool goes_by_value(tree type);
void emit_value_put(gimple_seq *seq, coindexed *a, tree value);
tree emit_value_get(gimple_seq *seq, coindexed *a, tree type);

/* --- ranges.cc, report.cc, warn.cc -------------------------------------------------------------------------------- */

gimple_opt_pass *make_range_pass(gcc::context *context);

void report_inline(const coindexed *a);
void report_call(const coindexed *a);

/* From when the file has been read on: warns of what options say, and mends. */
void warn_start();

#endif
