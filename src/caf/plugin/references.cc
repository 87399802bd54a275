/* gfortran 12 to 14: _gfortran_caf_send_by_ref and _gfortran_caf_get_by_ref, a[k]%p(i) with an allocatable or pointer
 * component on the way.  A chain of references leads from the coarray to the data (src/caf/gfortran/direct/walk.c). */
#include "plugin.h"

enum argument_at { TOKEN, IMAGE, HERE, REFERENCES, ONE_KIND, OTHER_KIND, MAY_OVERLAP, MAY_ALLOCATE, STAT, TYPE };

/* How many subscripts there are, if all are single ones; else 0. */
static int single_subscripts(const reference *r)
{
    for (int i = 0; i <= MOST_RANK; i++) {
        if (!r->mode[i] || TREE_CODE(r->mode[i]) != INTEGER_CST)
            return 0;
        const HOST_WIDE_INT mode = tree_to_shwi(r->mode[i]);
        if (mode == MODE_END)
            return i;
        if (mode != MODE_SINGLE || !r->start[i])
            return 0;
    }
    return 0;
}

static reference_type type_of(const reference *r)
{
    return (reference_type)tree_to_shwi(r->type);
}

/* The address of the data in the other image's memory. */
static tree emit_walk(branching *f, coindexed *a, tree table, tree distance)
{
    gimple_seq *seq = &f->seq;
    tree word = long_integer_type_node;
    tree at = emit_add(seq, emit_load_word(seq, ptr_type_node, a->token, CAF_COARRAY_BASE), distance);
    tree heaps = emit_load_word(seq, size_type_node, table, CAF_NEAR_HEAPS);
    tree heaps_bytes = emit_load_word(seq, size_type_node, table, CAF_NEAR_HEAPS_BYTES);
    for (size_t i = 0; i < a->references.size(); i++) {
        const reference *r = &a->references[i];
        if (type_of(r) == STATIC_ARRAY) {
            for (int j = 0; j < single_subscripts(r); j++)
                at = emit_add(seq, at, emit_op(seq, MULT_EXPR, r->start[j], r->item_size));
            continue;
        }
        at = emit_add(seq, at, r->offset);
        const bool is_described = i + 1 < a->references.size() && type_of(&a->references[i + 1]) == ARRAY;
        if (!is_described && integer_zerop(r->token_offset))
            continue;
        tree theirs = fresh(ptr_type_node);
        gimple_seq_add_stmt(seq, gimple_build_assign(theirs, memory(ptr_type_node, at, D_DATA, ptr_type_node)));
        tree place = emit(seq, size_type_node, MINUS_EXPR, emit_convert(seq, size_type_node, theirs), heaps);
        only_if(f, LT_EXPR, place, heaps_bytes);
        if (!is_described) {
            at = theirs;
            continue;
        }
        r = &a->references[++i];
        tree span = emit_load_index(seq, at, D_SPAN), sum = build_zero_cst(word);
        for (int j = 0; j < single_subscripts(r); j++) {
            tree of_dim[3];
            for (int k : {LOWER, UPPER, STRIDE})
                of_dim[k] = emit_load_index(seq, at, D_DIM + j * D_DIM_SIZE + k * 8);
            tree start = emit_convert(seq, word, r->start[j]);
            only_if(f, GE_EXPR, start, of_dim[LOWER]);
            only_if(f, LE_EXPR, start, of_dim[UPPER]);
            tree step = emit_op(seq, MULT_EXPR, emit_op(seq, MINUS_EXPR, start, of_dim[LOWER]), of_dim[STRIDE]);
            sum = integer_zerop(sum) ? step : emit_op(seq, PLUS_EXPR, sum, step);
        }
        at = emit_add(seq, theirs, emit_op(seq, MULT_EXPR, sum, span));
    }
    return at;
}

static void emit_component(coindexed *a)
{
    branching f = fork_at(a->call);
    forward_descriptor(&a->here);
    argument_sink(&a->here, a->call);
    for (reference &r : a->references)
        argument_sink(&r, a->call);
    if (a->barrier) {
        gimple_stmt_iterator from = gsi_for_stmt(a->barrier), to = gsi_for_stmt(a->call);
        if (a->is_put)
            gsi_move_after(&from, &to);
        else
            gsi_move_before(&from, &to);
    }
    tree table, distance = only_if_near(&f, a->image, &table);
    only_if(&f, NE_EXPR, a->token, build_zero_cst(TREE_TYPE(a->token)));
    tree at = emit_walk(&f, a, table, distance), type = element_type(&a->here), value = fresh(type);
    tree there = memory(type, at, 0, type), here = memory(type, a->here.data, 0, type);
    gimple_seq_add_stmt(&f.seq, gimple_build_assign(value, a->is_put ? here : there));
    gimple_seq_add_stmt(&f.seq, gimple_build_assign(a->is_put ? there : here, value));
    fork_end(&f);
}

bool recognise_references(coindexed *a)
{
    enum { MOST = 6 };
    gcall *call = a->call;
    if (gimple_call_num_args(call) < TYPE + 1u)
        return stays_call(a, "a call of another form");
    if (!integer_zerop(gimple_call_arg(call, STAT)))
        return stays_call(a, "stat= is given");
    a->token = gimple_call_arg(call, TOKEN);
    a->image = gimple_call_arg(call, IMAGE);
    if (!read_descriptor(&a->here, call, gimple_call_arg(call, HERE)) || !integer_zerop(a->here.rank))
        return stays_call(a, "a section of a component");
    if (!operand_equal_p(gimple_call_arg(call, ONE_KIND), gimple_call_arg(call, OTHER_KIND), 0) ||
        !operand_equal_p(fold_convert(integer_type_node, a->here.type), gimple_call_arg(call, TYPE), 0))
        return stays_call(a, "types or kinds differ");
    a->references.reserve(MOST);
    for (tree at = gimple_call_arg(call, REFERENCES); !integer_zerop(at); at = a->references.back().next) {
        a->references.emplace_back();
        if (a->references.size() > MOST || !read_reference(&a->references.back(), call, at))
            return stays_call(a, "the way through components is not known");
    }
    for (size_t i = 0; i < a->references.size(); i++) {
        const reference *r = &a->references[i];
        if (type_of(r) == COMPONENT) {
            if (!r->offset || !r->token_offset || TREE_CODE(r->token_offset) != INTEGER_CST)
                return stays_call(a, "the way through components is not known");
        } else if (!single_subscripts(r)) {
            return stays_call(a, "a section of a component");
        } else if (type_of(r) == ARRAY && i == 0) {
            return stays_call(a, "an element of an allocatable coarray, whose bounds the library keeps");
        }
    }
    tree type = element_type(&a->here);
    if (!type || !tree_int_cst_equal(a->references.back().item_size, TYPE_SIZE_UNIT(type)))
        return stays_call(a, "the type is no intrinsic numeric one");
    a->barrier = barrier_of(call, a->is_put);
    a->form = "of a component made a load or store";
    a->emit = emit_component;
    return true;
}
