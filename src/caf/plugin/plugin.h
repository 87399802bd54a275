/* The parts of the plugin, and their interfaces to each other.
 *
 *   descriptors   reads the descriptors and references of a call from the stores before it
 *   emit          statements, the near check, the bounds check, the call by value
 *   elements      types and conversions
 *   copies        sections
 *   direct        gfortran 12 to 14: send, get
 *   references    gfortran 12 to 14: send_by_ref, get_by_ref
 *   accessor      gfortran 15 and 16: send_to_remote, get_from_remote; accessor.h has its parts
 *   ranges        bounds checks of loops
 *   report        -fcaf-report
 *   warn          -Wcaf, before any of these, with rules of its own (warn.h)
 *   mend          corrects errors of gfortran
 *
 * A function's calls of the library are replaced in two steps: first all are recognised, while nothing is changed; then
 * their replacements are emitted. */
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

/* A local variable whose address is an argument of a call, and the contents that stores before the call give it. */
struct argument {
    tree variable = NULL;
    std::vector<gimple *> stores; /* the last one first */
    std::vector<gimple *> loads;  /* between the stores and the call */
    bool is_private = false;      /* no other statement mentions it */
};

/* NULL means not known; such a part can be loaded at run time if the variable is not private. */
struct descriptor : argument {
    tree address = NULL;
    tree data = NULL, elem_len = NULL, rank = NULL, type = NULL, span = NULL;
    tree dim[MOST_RANK][3] = {};
};

/* struct reference (src/caf/gfortran/direct/direct.h) */
enum reference_type { COMPONENT, ARRAY, STATIC_ARRAY };
enum subscript_mode { MODE_END, MODE_VECTOR, MODE_FULL, MODE_RANGE, MODE_SINGLE, MODE_OPEN_END, MODE_OPEN_START };
struct reference : argument {
    tree next = NULL, type = NULL, item_size = NULL;
    tree offset = NULL, token_offset = NULL; /* the offsets of a component */
    tree mode[MOST_RANK + 1] = {}, start[MOST_RANK] = {}, end[MOST_RANK] = {}, step[MOST_RANK] = {};
};

/* Finds all statements that mention each local variable of the function; to be called before the two functions
 * below, and again for the next function. */
void arguments_begin(function *fun);

/* False: the stores before the call do not determine the arguments. */
bool read_descriptor(descriptor *d, gimple *call, tree address);
bool read_reference(reference *r, gimple *call, tree address);

/* The loads in between use the stored values from now on. To be called before either of the two functions below. */
void forward_descriptor(descriptor *d);

/* Removes the stores if no call needs them any more, or moves them to just before the call. Stores that other
 * statements need remain in place. */
void argument_drop(argument *a);
void argument_sink(argument *a, gimple *call);

/* The asm("":::"memory") that gfortran puts before a get or after a put; or NULL. */
gimple *barrier_of(gimple *call, bool is_put);

const char *called_by(gimple *g); /* the name of the function; "" if it is unknown, or no call */
bool is_barrier(gimple *g);
void remove_statement(gimple *g);

/* --- emit.cc: statements at the end of a sequence ----------------------------------------------------------------- */

void emit_begin(); /* types and functions; may be called again */
extern const ggc_root_tab emit_roots[];
tree fresh(tree type);
tree emit(gimple_seq *seq, tree type, enum tree_code code, tree a, tree b = NULL);
tree emit_convert(gimple_seq *seq, tree type, tree a);
tree emit_op(gimple_seq *seq, enum tree_code code, tree a, tree b); /* operates on integer(8) */
tree emit_add(gimple_seq *seq, tree pointer, tree bytes);
tree memory(tree type, tree at, HOST_WIDE_INT offset, tree alias_type);
tree emit_read(gimple_seq *seq, tree reference); /* a register with its value */

/* A word of the library, which no store of the program changes. */
tree emit_load_word(gimple_seq *seq, tree result, tree at, HOST_WIDE_INT offset);

/* A word of a descriptor in the program's memory. is_safe: the load may move anywhere. */
tree emit_load(gimple_seq *seq, tree type, tree at, HOST_WIDE_INT offset, bool is_safe);
tree emit_load_index(gimple_seq *seq, tree at, HOST_WIDE_INT offset, bool is_safe = false);

/* Whether g loads the size of a coarray. */
bool is_load_of_bytes(gimple *g);

/* The call's block is divided: the statements before the call; conditions, each of which leads to the slow block if
 * it does not hold; the fast path; the statements after the call. Statements are appended to seq. */
struct branching {
    basic_block at, slow, join;
    gimple *call;
    gimple_seq seq;
    tree pending; /* conditions that are not yet emitted; or NULL */
};
branching fork_at(gimple *call);
void emit_flush(branching *f); /* appends seq to the block at */
basic_block next_block(branching *f); /* a new block after at, in the same loop; without edges */
void only_if(branching *f, enum tree_code code, tree a, tree b);
void only_if_too(branching *f, enum tree_code code, tree a, tree b); /* emitted together with the next one */
void only_if_pending(branching *f);                                  /* before statements that require it */
tree emit_if_pending(branching *f, tree at, tree table); /* at, or zeros if a condition does not hold */
edge fork_end(branching *f);

/* Defines the result after both paths: `fast`, or `slow` after the call. */
tree join(branching *f, tree result, edge from_fast, tree fast, tree slow);

/* Emits the check that the image is near; returns the distance of its memory from this image's. */
tree only_if_near(branching *f, tree image, tree *table);
tree only_if_near_too(branching *f, tree image, tree *table);

/* The coarray's address in this image's memory, and the offset of another address in it; any values if the coarray
 * is not allocated. */
tree emit_base(gimple_seq *seq, tree token);
tree emit_offset(gimple_seq *seq, tree token, tree address);

void only_if_inside_too(branching *f, tree token, tree offset, tree table); /* bounds of one object */

/* Checks that an object (bytes is NULL), or a section of `bytes` bytes, is in the coarray. A section's conditions stay
 * pending: the next condition is emitted together with them. */
void only_if_inside(branching *f, tree token, tree offset, tree bytes, tree table);

/* Checks that the image is near and one object is in the coarray; by one condition if no loop changes the image. */
tree only_if_near_and_inside(branching *f, tree image, tree token, tree offset);

/* The slow path of a scalar of up to 16 bytes, by value. Returns the result of a get. */
struct coindexed;
bool has_value_call(tree type);
extern tree value_put_by_ref, value_get_by_ref, type_bits16; /* for references.cc */
tree emit_bits(gimple_seq *seq, tree value);
tree emit_from_bits(gimple_seq *seq, tree type, tree bits);
tree carrier(tree type);
void emit_value_put(gimple_seq *seq, coindexed *a, tree value);
tree emit_order(gimple_seq *seq);
void emit_put_order(gimple_seq *seq);
tree emit_value_get(gimple_seq *seq, coindexed *a, tree type);

/* --- elements.cc -------------------------------------------------------------------------------------------------- */

struct element {
    HOST_WIDE_INT number = 0; /* number of the type, in descriptors */
    tree size = NULL;         /* bytes */
    tree type = NULL;         /* type of a register for the element; NULL: only its bytes can be copied */
    bool aliases_all = false; /* type is not the element's type in the program, but one of equal size */
};

/* Elements of that type and size at data (NULL: not known). Returns NULL, or the reason why they cannot be moved. */
const char *element_of(element *e, HOST_WIDE_INT number, tree size, tree data);
bool is_number(HOST_WIDE_INT number);
bool is_character(HOST_WIDE_INT number);

/* Whether an address comes from a volatile variable or pointer, which is gfortran's form of VOLATILE. */
bool is_volatile(tree data, int depth = 0);

tree element_at(const element *e, tree at);

/* Converts as an assignment of numbers or of logicals does; a logical has an unsigned type here, or BOOLEAN_TYPE. */
tree emit_conversion(gimple_seq *seq, tree type, tree value);

/* --- a coindexed access ------------------------------------------------------------------------------------------- */

/* How the data is moved: as a register's value; as bytes, one piece of memory on each side; or element by element,
 * with a conversion, or one scalar to all. */
enum way { SCALAR, COPY, LOOP };

struct coindexed {
    gcall *call;
    bool is_put;
    tree token, offset, image;
    descriptor there, here;            /* the coindexed side at this image's own address; the other side */
    tree from_token = NULL, from_offset = NULL, from_image = NULL; /* if here is coindexed, too, in a put */
    std::vector<reference> references; /* from the coarray to the data; empty: the data is at `there` */
    element of_there, of_here;
    int there_rank = 0, here_rank = 0;
    way how = SCALAR;
    bool is_same_kind = true;  /* gfortran's kind: REAL(10) and REAL(16) have one size */
    bool may_allocate = false; /* the call may allocate the other side, if its shape differs */
    gimple *barrier = NULL, *barrier_before = NULL; /* gfortran's asm("":::"memory"); the second if here is coindexed */
    const char *form = NULL; /* for the report */
    const char *why = NULL;  /* why it stays a call */
    void (*emit)(coindexed *) = NULL;
    std::shared_ptr<struct accessed> by_accessor;
};

/* A recogniser sets all members of the access, or says why not: return stays_call(a, "why"). */
inline bool stays_call(coindexed *a, const char *why)
{
    a->why = why;
    return false;
}

/* For a put to a substring, gfortran passes its address, but the length of the whole string; the library detects
 * this. */
inline bool may_be_substring(const coindexed *a)
{
    return a->is_put && is_character(a->of_there.number) && !(a->of_there.size && integer_onep(a->of_there.size));
}

/* --- copies.cc ---------------------------------------------------------------------------------------------------- */

/* A section: its first element's address, and for each dimension the number of elements and their distance in bytes. */
struct shape {
    tree at = NULL, size = NULL;
    tree token = NULL, offset = NULL; /* the coarray whose bounds must be checked; NULL: none */
    std::vector<tree> count, step;
};

/* Sets the elements, the ranks and `how` from `there` and `here`. Returns NULL, or why it stays a call. */
const char *choose_way(coindexed *a);

/* Emits an access whose method is chosen. */
void emit_assignment(coindexed *a);

shape emit_shape(gimple_seq *seq, const descriptor *d, const element *e, int rank);
tree emit_count(gimple_seq *seq, tree first, tree last); /* number of elements */

/* Checks at run time that a descriptor in memory has the properties that the other side has at compile time. */
void only_if_alike(branching *f, const descriptor *d, const element *e, int rank);

/* --- direct.cc, references.cc ------------------------------------------------------------------------------------- */

bool recognise_direct(coindexed *a);
bool recognise_between(coindexed *a);
bool recognise_references(coindexed *a);
void forget_restrict(); /* of the current function's dummy coarrays, whether or not it has accesses */

/* The shape of the coindexed side in the other image's memory. */
shape emit_there(branching *f, coindexed *a, tree table, tree distance);
shape emit_walk(branching *f, coindexed *a, tree table, tree distance);

/* The slow paths by value of a scalar behind references. */
bool has_value_walk(const coindexed *a);
void emit_value_walk(gimple_seq *seq, coindexed *a, tree value);
tree emit_value_of_walk(gimple_seq *seq, coindexed *a);

/* --- accessor.cc -------------------------------------------------------------------------------------------------- */

bool recognise_accessor(coindexed *a);

/* --- ranges.cc, report.cc, warn.cc -------------------------------------------------------------------------------- */

gimple_opt_pass *make_range_pass(gcc::context *context);

void report_inline(const coindexed *a);
void report_call(const coindexed *a);

/* Called after the file has been read: warns about options, and corrects trees. */
void warn_start();

#endif
