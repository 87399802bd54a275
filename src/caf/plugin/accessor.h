/* gfortran 15 and 16: the expressions that accessors compute. */
#ifndef COPAL_CAF_ACCESSOR_H
#define COPAL_CAF_ACCESSOR_H

#include "plugin.h"

/* --- remake.cc: an accessor's statements, computed at the call ---------------------------------------------------- */

/* A pointer parameter, and the address that the call passes for it. Only addresses in the coarray can be computed, not
 * its contents: this image's part of the coarray has other contents than the other image's part. The program's
 * descriptor may have more dimensions than the accessor uses. */
enum given_kind { VALUES, COARRAY, COARRAY_DESCRIPTOR, LOCAL_DESCRIPTOR };
struct given {
    tree parameter, address;
    given_kind kind;
};

/* The counter of a loop in an accessor: i = first, first + 1 ... last. */
struct counter {
    tree i = NULL, first = NULL, last = NULL;
};

struct remake {
    std::vector<given> parameters;
    std::vector<counter> counters; /* counters of the loops, innermost first; values are those of the first iteration */
    struct walk *behind = NULL; /* follows components; NULL: they are not followed */
    std::unordered_map<tree, tree> done; /* the accessor's SSA names, and their values at the call */
    gimple_seq made = NULL;
    const char *why = NULL; /* the reason why it cannot be computed at the call */
};

/* Follows pointers and allocatable components of the other image: all heaps of the node have one address in all its
 * images, so the other image's pointer is valid here if it points into one. */
struct walk {
    branching *f; /* NULL: only checks whether it is possible */
    tree token, distance, table;
};

/* The value of an accessor's operand, or the address of one of its memory references; or NULL. */
tree remake_value(remake *r, tree operand);
tree remake_address(remake *r, tree reference);

/* Removes the statements that were made. */
void remake_drop(remake *r);

/* The part of an object at that byte, for example dim[1].stride; NULL: the type has no part of that size there. */
tree part_of(tree object, HOST_WIDE_INT byte, tree type);

/* --- accessor_loops.cc -------------------------------------------------------------------------------------------- */

/* A section of this image's part of the coarray: for each dimension the number of elements, and their distance in
 * bytes. */
struct array_section {
    tree element, first;
    std::vector<tree> extent, step;
};
bool has_constant_place(tree reference, HOST_WIDE_INT *byte);

/* *conversion: of each element; NOP_EXPR for none. A scalar's section has steps of 0. */
bool read_put_loops(remake *r, tree fn, tree buffer, array_section *mine, array_section *theirs,
                    enum tree_code *conversion);
bool read_get_loops(remake *r, tree fn, tree buffer, tree has_new_buffer, array_section *s);

/* --- accessor.cc, accessor_arrays.cc ------------------------------------------------------------------------------ */

/* The data that a call by accessor moves. */
struct accessed {
    gimple *barrier = NULL;
    tree fn = NULL; /* the accessor */
    gimple_seq made = NULL; /* statements that compute the operands */
    bool is_volatile = false;
    tree base = NULL; /* the program's own pointer to the beginning of a static coarray */
    tree type = NULL;
    tree address = NULL; /* in this image's memory */
    tree value = NULL;   /* the value of a put, if it is in a register */
    tree mine = NULL;    /* the memory reference of the other side */
    array_section whole; /* the section of an array */
    array_section from;  /* the source section of a put */
    std::vector<std::pair<tree, tree>> bounds; /* of a get's temporary that is not allocated by the getter */
    enum tree_code conversion = NOP_EXPR;
    bool is_behind = false; /* the section is a component's: its address is found in the other image's memory */
    tree early_token = NULL, early_image = NULL; /* a put in place: their values at the allocation of its temporary */
    gcall *allocation = NULL, *end = NULL; /* of a temporary */
    tree variable = NULL, memory = NULL, copy = NULL;
    gimple *compared = NULL, *freed = NULL;
    gcond *condition = NULL;
};

void sink_barrier(coindexed *a); /* moves it to the call, which is the slow path */

/* The offset in the coarray of an address in this image's memory. */
tree emit_place(gimple_seq *seq, const coindexed *a, tree token, tree address);
bool set_object(coindexed *a, remake *r, tree fn);
void only_if_in_heaps(remake *r, tree address);
gimple *load_of_data(tree name, tree variable);

/* Finds the values of the accessor's parameters, and the sections that it moves. behind: for data in the other
 * image's memory; or NULL. */
bool set_sections(coindexed *a, remake *r, walk *behind);

/* accessor_in_place.cc: the expression of a put is stored at its destination, without a temporary. */
bool recognise_put_in_place(coindexed *a, tree fn, tree buffer, tree address, tree add_data);

/* accessor_copies.cc: sections in nests of loops, or in one piece. */
array_section only_if_section_there(branching *f, coindexed *a, tree *distance);
void only_if_packed(branching *f, const array_section *s);
bool may_be_packed(const array_section *s);
array_section packed_like(gimple_seq *seq, const array_section *s, tree at, tree *bytes);
void emit_nest(branching *f, const array_section *to, const array_section *from, enum tree_code conversion);
void recognise_put_copy(coindexed *a);

/* The blocks in which temporaries of gets are other images' memory. */
extern std::unordered_map<basic_block, bool> in_place_blocks;

/* address: of the temporary's descriptor. copy: of the variable that contains the temporary's address, too. */
bool recognise_get_of_array(coindexed *a, tree address, tree copy, bool is_allocated);

/* --- accessor_calls.cc: what a call refers to --------------------------------------------------------------------- */

/* The accessor whose number is that operand of a call, or NULL. */
tree accessor_of(tree index);

/* Without the call its number is not needed: removes the statements that find it. */
void accessor_drop_lookup(tree index);

bool is_descriptor(tree type);

/* The reference that reads the program's own pointer to the coarray with that token; object: the accessor's
 * parameter for it. NULL if it is not known. */
tree own_pointer(tree token, tree object);

/* Whether the token belongs to a static coarray of another file: without a pointer, this file cannot access it
 * directly. */
bool is_foreign(tree token);

#endif
