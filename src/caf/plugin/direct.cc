/* gfortran 12 to 14: _gfortran_caf_send and _gfortran_caf_get, whose sides are two descriptors.  The descriptor of the
 * coindexed side has this image's own address of the data. */
#include "plugin.h"

enum argument_at { TOKEN, OFFSET, IMAGE, THERE, THERE_VECTORS, HERE, ONE_KIND, OTHER_KIND, MAY_OVERLAP, STAT, TEAM };

/* --- types -------------------------------------------------------------------------------------------------------- */

/* As descriptors number them (enum caf_type of src/caf/caf.h). */
static bool is_of_type(tree t, unsigned HOST_WIDE_INT number)
{
    enum { INTEGER = 1, LOGICAL, REAL, COMPLEX };
    enum { X87 = 80 }; /* has bytes that are no part of the value */
    switch (number) {
    case INTEGER: return TREE_CODE(t) == INTEGER_TYPE;
    case LOGICAL: return TREE_CODE(t) == BOOLEAN_TYPE;
    case REAL: return SCALAR_FLOAT_TYPE_P(t) && TYPE_PRECISION(t) != X87;
    case COMPLEX: return TREE_CODE(t) == COMPLEX_TYPE && TYPE_PRECISION(TREE_TYPE(t)) != X87;
    }
    return false;
}

tree element_type(const descriptor *d)
{
    if (!POINTER_TYPE_P(TREE_TYPE(d->data)) || TREE_CODE(d->elem_len) != INTEGER_CST ||
        TREE_CODE(d->type) != INTEGER_CST)
        return NULL;
    tree t = TREE_CODE(d->data) == ADDR_EXPR ? TREE_TYPE(TREE_OPERAND(d->data, 0)) : TREE_TYPE(TREE_TYPE(d->data));
    while (TREE_CODE(t) == ARRAY_TYPE)
        t = TREE_TYPE(t);
    if (TYPE_VOLATILE(t) || !COMPLETE_TYPE_P(t) || !tree_fits_uhwi_p(TYPE_SIZE_UNIT(t)) ||
        tree_to_uhwi(TYPE_SIZE_UNIT(t)) != tree_to_uhwi(d->elem_len))
        return NULL;
    t = TYPE_MAIN_VARIANT(t);
    return is_of_type(t, tree_to_uhwi(d->type)) ? t : NULL;
}

/* Whether the address comes from a volatile pointer: that is what gfortran makes of VOLATILE. */
static bool is_volatile(tree data, int depth = 0)
{
    enum { DEEP = 20 };
    if (TREE_CODE(data) == ADDR_EXPR) {
        tree base = get_base_address(TREE_OPERAND(data, 0));
        if (base && TREE_CODE(base) == MEM_REF)
            return is_volatile(TREE_OPERAND(base, 0), depth + 1);
        return base && TREE_THIS_VOLATILE(base);
    }
    if (TREE_CODE(data) != SSA_NAME || depth > DEEP)
        return false;
    gimple *g = SSA_NAME_DEF_STMT(data);
    return gimple_has_volatile_ops(g) ||
           (is_gimple_assign(g) && !gimple_vuse(g) && is_volatile(gimple_assign_rhs1(g), depth + 1));
}

/* --- scalars ------------------------------------------------------------------------------------------------------ */

static void emit_scalar(coindexed *a)
{
    tree type = element_type(&a->there), mine = element_type(&a->here), value = NULL, table, fast_value = NULL;
    tree my_ref = memory(type, a->here.data, 0, mine);
    branching f = fork_at(a->call);
    for (descriptor *d : {&a->there, &a->here}) {
        forward_descriptor(d);
        argument_drop(d);
    }
    if (a->barrier)
        remove_statement(a->barrier);
    if (a->is_put) {
        value = fresh(type);
        gimple_seq_add_stmt(&f.seq, gimple_build_assign(value, my_ref));
    }
    tree distance = only_if_near(&f, a->image, &table);
    only_if_inside(&f, a->token, a->offset, NULL, table);
    tree at = emit_add(&f.seq, emit_convert(&f.seq, build_pointer_type(type), a->there.data), distance);
    tree ref = memory(type, at, 0, type);
    TREE_THIS_VOLATILE(ref) = is_volatile(a->there.data);
    if (!a->is_put)
        fast_value = fresh(type);
    gimple_seq_add_stmt(&f.seq, a->is_put ? gimple_build_assign(ref, value) : gimple_build_assign(fast_value, ref));
    edge from_fast = fork_end(&f);

    gimple_seq seq = NULL;
    tree slow_value = NULL;
    if (a->is_put)
        emit_value_put(&seq, a, value);
    else
        slow_value = emit_value_get(&seq, a, type);
    gimple_stmt_iterator gsi = gsi_for_stmt(a->call);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    remove_statement(a->call);
    if (a->is_put)
        return;
    tree got = fresh(type);
    gphi *phi = create_phi_node(got, f.join);
    add_phi_arg(phi, fast_value, from_fast, UNKNOWN_LOCATION);
    add_phi_arg(phi, slow_value, find_edge(f.slow, f.join), UNKNOWN_LOCATION);
    gsi = gsi_after_labels(f.join);
    gsi_insert_before(&gsi, gimple_build_assign(unshare_expr(my_ref), got), GSI_SAME_STMT);
}

/* --- contiguous sections ------------------------------------------------------------------------------------------ */

static bool is_contiguous(const descriptor *d)
{
    return d->span && d->dim[0][STRIDE] && d->dim[0][LOWER] && d->dim[0][UPPER] && integer_onep(d->dim[0][STRIDE]) &&
           TREE_CODE(d->elem_len) == INTEGER_CST && TREE_CODE(d->span) == INTEGER_CST &&
           tree_to_uhwi(d->elem_len) == tree_to_uhwi(d->span);
}

static tree emit_bytes(gimple_seq *seq, const descriptor *d)
{
    tree n = emit_op(seq, MINUS_EXPR, d->dim[0][UPPER], d->dim[0][LOWER]);
    n = emit_op(seq, PLUS_EXPR, n, build_one_cst(long_integer_type_node));
    return emit_op(seq, MULT_EXPR, n, d->elem_len);
}

/* Longer ones are the library's: it has ways to copy that are quicker than the C library's. */
static void emit_section(coindexed *a)
{
    enum { LARGE = 1 << 20 };
    branching f = fork_at(a->call);
    for (descriptor *d : {&a->there, &a->here}) {
        forward_descriptor(d);
        argument_sink(d, a->call);
    }
    if (a->barrier) {
        gimple_stmt_iterator from = gsi_for_stmt(a->barrier), to = gsi_for_stmt(a->call);
        if (a->is_put)
            gsi_move_after(&from, &to);
        else
            gsi_move_before(&from, &to);
    }
    tree table, distance = only_if_near(&f, a->image, &table);
    tree bytes = emit_bytes(&f.seq, &a->there), mine = emit_bytes(&f.seq, &a->here);
    only_if_inside(&f, a->token, a->offset, bytes, table);
    only_if(&f, EQ_EXPR, bytes, mine);
    bytes = emit_convert(&f.seq, size_type_node, bytes);
    only_if(&f, LT_EXPR, bytes, size_int(LARGE));
    tree theirs = emit_add(&f.seq, emit_convert(&f.seq, ptr_type_node, a->there.data), distance);
    tree ours = emit_convert(&f.seq, ptr_type_node, a->here.data);
    gimple_seq_add_stmt(&f.seq, gimple_build_call(builtin_decl_implicit(BUILT_IN_MEMMOVE), 3, a->is_put ? theirs : ours,
                                                  a->is_put ? ours : theirs, bytes));
    fork_end(&f);
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

static bool is_given(const coindexed *a, argument_at i)
{
    return gimple_call_num_args(a->call) > (unsigned)i && !integer_zerop(gimple_call_arg(a->call, i));
}

bool recognise_direct(coindexed *a)
{
    gcall *call = a->call;
    if (gimple_call_num_args(call) < STAT + 1u)
        return stays_call(a, "a call of another form");
    if (is_given(a, STAT))
        return stays_call(a, "stat= is given");
    if (a->is_put && is_given(a, TEAM))
        return stays_call(a, "a team is given");
    if (is_given(a, THERE_VECTORS))
        return stays_call(a, "a vector subscript");
    a->token = gimple_call_arg(call, TOKEN);
    a->offset = gimple_call_arg(call, OFFSET);
    a->image = gimple_call_arg(call, IMAGE);
    if (!read_descriptor(&a->there, call, gimple_call_arg(call, THERE)) ||
        !read_descriptor(&a->here, call, gimple_call_arg(call, HERE)))
        return stays_call(a, "a whole array, whose bounds are known only when it runs");
    if (!operand_equal_p(gimple_call_arg(call, ONE_KIND), gimple_call_arg(call, OTHER_KIND), 0) ||
        !operand_equal_p(a->there.type, a->here.type, 0) || !operand_equal_p(a->there.elem_len, a->here.elem_len, 0))
        return stays_call(a, "types, kinds or lengths differ");
    a->barrier = barrier_of(call, a->is_put);
    tree there = element_type(&a->there), here = element_type(&a->here);
    if (!there || !here || !types_compatible_p(there, here))
        return stays_call(a, "the type is no intrinsic numeric one");
    if (!operand_equal_p(a->there.rank, a->here.rank, 0))
        return stays_call(a, "a scalar is assigned to all of a section");
    if (integer_zerop(a->there.rank)) {
        if (!goes_by_value(there))
            return stays_call(a, "a scalar of more than 16 bytes");
        a->form = "made a load or store";
        a->emit = emit_scalar;
        return true;
    }
    if (!integer_onep(a->there.rank) || !is_contiguous(&a->there) || !is_contiguous(&a->here))
        return stays_call(a, "a section that is not known to be contiguous");
    a->form = "made a copy";
    a->emit = emit_section;
    return true;
}
