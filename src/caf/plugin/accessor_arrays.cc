/* gfortran 15 and 16: arrays.
 *
 * The result of an array's get is a temporary, which the statement reads afterwards. The getter allocates the temporary
 * and copies the section into it in a nest of loops. Before the pass caf_near, and after it (except for arrays of this
 * image):
 *
 *     atmp.data = 0B;                                      if (d is near && inside)
 *     _gfortran_caf_get_from_remote (..., &atmp, ...);       { atmp.data = section + d; atmp.dim = ...; owned = 0B; }
 *     ... atmp.data[i] ...                                 else
 *     if (atmp.data != 0B)                                   { slow = atmp; call (..., &slow, ...); atmp = slow;
 *       free (atmp.data);                                      owned = atmp.data; }
 *                                                          ... atmp.data[i] ...
 *                                                          if (owned != 0B) free (owned);
 *
 * Therefore nothing is copied twice. This is correct because no statement before the temporary's end can change the
 * other image's memory: there are no calls except gets, and no puts. Otherwise, and for sections with strides, the
 * temporary remains, and the getter's loops are made here. */
#include "accessor.h"

/* --- the end of a temporary --------------------------------------------------------------------------------------- */

static bool is_load_of(gimple *g, tree variable, HOST_WIDE_INT byte)
{
    HOST_WIDE_INT at;
    return g && gimple_assign_load_p(g) && get_base_address(gimple_assign_rhs1(g)) == variable &&
        has_constant_place(gimple_assign_rhs1(g), &at) && at == byte;
}

gimple *load_of_data(tree name, tree variable)
{
    gimple *g = TREE_CODE(name) == SSA_NAME ? SSA_NAME_DEF_STMT(name) : NULL;
    return is_load_of(g, variable, D_DATA) ? g : NULL;
}

static bool find_free(accessed *t)
{
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
            if (!gimple_call_builtin_p(gsi_stmt(gsi), BUILT_IN_FREE))
                continue;
            gimple *freed = load_of_data(gimple_call_arg(gsi_stmt(gsi), 0), t->variable);
            if (!freed)
                continue;
            gimple_stmt_iterator end = single_pred_p(bb) ? gsi_last_nondebug_bb(single_pred(bb)) : gsi_none();
            gcond *c = gsi_end_p(end) ? NULL : dyn_cast<gcond *>(gsi_stmt(end));
            t->compared = c && integer_zerop(gimple_cond_rhs(c)) ? load_of_data(gimple_cond_lhs(c), t->variable) : NULL;
            if (t->freed || !t->compared)
                return false;
            t->freed = freed;
            t->condition = c;
        }
    return t->freed;
}

static bool is_loaded(tree variable, HOST_WIDE_INT byte)
{
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (is_load_of(gsi_stmt(gsi), variable, byte))
                return true;
    return false;
}

/* Whether the statement finds the elements if the temporary is the section itself. gfortran does not read the stride of
 * a dimension if it knows the extents of those before it: it takes that of a packed array. */
static bool reads_strides(const accessed *t)
{
    const array_section *s = &t->whole;
    bool is_packed = may_be_packed(s);
    for (size_t i = 1; i < s->step.size(); i++)
        is_packed &= TREE_CODE(s->step[i]) == INTEGER_CST && TREE_CODE(s->extent[i - 1]) == INTEGER_CST;
    for (size_t i = 1; i < s->step.size() && !is_packed; i++)
        if (!is_loaded(t->variable, D_DIM + (HOST_WIDE_INT)i * D_DIM_SIZE + STRIDE * 8))
            return false;
    return true;
}

/* Finds the local array whose address is set before the call. */
static bool find_memory(const coindexed *a, accessed *t)
{
    descriptor d;
    if (!read_descriptor(&d, a->call, build_fold_addr_expr(t->variable)) || !d.data || TREE_CODE(d.data) != ADDR_EXPR ||
        !VAR_P(TREE_OPERAND(d.data, 0)) || is_global_var(TREE_OPERAND(d.data, 0)))
        return false;
    t->memory = TREE_OPERAND(d.data, 0);
    for (size_t i = 0; i < t->whole.extent.size(); i++) {
        tree lower = d.dim[i][LOWER], upper = d.dim[i][UPPER];
        if (!lower || !upper || TREE_CODE(lower) != INTEGER_CST || TREE_CODE(upper) != INTEGER_CST)
            return false;
        t->temporary.push_back(build_int_cst(long_integer_type_node, tree_to_shwi(upper) - tree_to_shwi(lower) + 1));
    }
    return true;
}

/* Whether the statement does not change other images' memory. */
static bool is_harmless(gimple *g)
{
    if (!is_gimple_call(g) || !gimple_vdef(g) || (gimple_call_flags(g) & ECF_NOVOPS))
        return true;
    for (built_in_function f : {BUILT_IN_MALLOC, BUILT_IN_REALLOC, BUILT_IN_FREE, BUILT_IN_MEMCPY, BUILT_IN_MEMMOVE,
                                BUILT_IN_MEMSET})
        if (gimple_call_builtin_p(g, f))
            return true;
    tree fn = gimple_call_fndecl(g);
    const char *name = fn && DECL_NAME(fn) ? IDENTIFIER_POINTER(DECL_NAME(fn)) : "";
    return strcmp(name, "_gfortran_caf_get_from_remote") == 0 ||
        strcmp(name, "_gfortran_caf_get_remote_function_index") == 0;
}

std::unordered_map<basic_block, bool> in_place_blocks;

/* Whether all statements from the call to the temporary's end are harmless, on all paths. */
static bool all_harmless(gimple *call, const accessed *t)
{
    enum { MOST_BLOCKS = 200 };
    std::vector<basic_block> todo;
    std::unordered_map<basic_block, bool> seen;
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    basic_block bb = gimple_bb(call);
    for (gsi_next(&gsi);;) {
        bool is_end = false;
        for (; !gsi_end_p(gsi) && !is_end; gsi_next(&gsi)) {
            gimple *g = gsi_stmt(gsi);
            is_end = g == t->condition || (t->memory && gimple_clobber_p(g) && gimple_assign_lhs(g) == t->memory) ||
                (t->memory && g == call);
            if (g == call || (!is_end && (!is_harmless(g) || is_a<gasm *>(g)) && !is_barrier(g)))
                return is_end;
        }
        edge e;
        edge_iterator ei;
        if (!is_end)
            FOR_EACH_EDGE(e, ei, bb->succs)
                if (!seen[e->dest]) {
                    seen[e->dest] = true;
                    todo.push_back(e->dest);
                }
        if (todo.empty()) {
            in_place_blocks.insert(seen.begin(), seen.end());
            in_place_blocks[gimple_bb(call)] = true;
            return true;
        }
        if (seen.size() > MOST_BLOCKS)
            return false;
        bb = todo.back();
        todo.pop_back();
        if (bb == EXIT_BLOCK_PTR_FOR_FN(cfun) && !t->memory)
            return false; /* not freed */
        gsi = gsi_start_bb(bb);
    }
}

/* --- emission ----------------------------------------------------------------------------------------------------- */

static void set_part(gimple_seq *seq, tree variable, HOST_WIDE_INT byte, tree value)
{
    tree type = byte == D_DATA ? ptr_type_node : long_integer_type_node;
    tree part = part_of(unshare_expr(variable), byte, type);
    gimple_seq_add_stmt(seq, gimple_build_assign(part, emit_convert(seq, TREE_TYPE(part), value)));
}

static tree in_memory(tree type, const char *name)
{
    tree v = create_tmp_var(TYPE_MAIN_VARIANT(type), name);
    TREE_ADDRESSABLE(v) = 1;
    return v;
}

/* Sets the descriptor as the getter would leave it. */
static void set_descriptor(gimple_seq *seq, tree variable, const array_section *s)
{
    tree one = build_one_cst(long_integer_type_node), size = TYPE_SIZE_UNIT(s->element);
    tree offset = build_zero_cst(long_integer_type_node);
    set_part(seq, variable, D_DATA, s->first);
    for (size_t i = 0; i < s->extent.size(); i++) {
        const HOST_WIDE_INT dim = D_DIM + (HOST_WIDE_INT)i * D_DIM_SIZE;
        tree stride = i == 0 ? one : emit_op(seq, EXACT_DIV_EXPR, s->step[i], size);
        set_part(seq, variable, dim + LOWER * 8, one);
        set_part(seq, variable, dim + UPPER * 8, s->extent[i]);
        set_part(seq, variable, dim + STRIDE * 8, stride);
        offset = emit_op(seq, MINUS_EXPR, offset, stride);
    }
    set_part(seq, variable, D_OFFSET, offset);
}

static void only_if_extents(branching *f, const accessed *t, const array_section *s)
{
    for (size_t i = 0; i < s->extent.size(); i++)
        only_if(f, EQ_EXPR, s->extent[i], t->temporary[i]);
}

/* Emits the getter's loops; the temporary remains. */
static void emit_get_copy(coindexed *a)
{
    const accessed *t = a->by_accessor.get();
    branching f = fork_at(a->call);
    sink_barrier(a);
    tree distance, bytes, memory = fresh(ptr_type_node);
    const array_section s = only_if_section_there(&f, a, &distance);
    array_section packed = packed_like(&f.seq, &s, memory, &bytes);
    if (t->memory) {
        only_if_extents(&f, t, &s);
        gimple_seq_add_stmt(&f.seq, gimple_build_assign(memory, build_fold_addr_expr(t->memory)));
    } else {
        gcall *allocation = gimple_build_call(builtin_decl_implicit(BUILT_IN_MALLOC), 1,
                                              emit_convert(&f.seq, size_type_node, bytes));
        gimple_call_set_lhs(allocation, memory);
        gimple_seq_add_stmt(&f.seq, allocation);
        set_descriptor(&f.seq, t->variable, &packed);
    }
    emit_nest(&f, &packed, &s, NOP_EXPR);
    fork_end(&f);
}

static void emit_get_in_place(coindexed *a)
{
    const accessed *t = a->by_accessor.get();
    branching f = fork_at(a->call);
    sink_barrier(a);
    tree distance, zero = build_zero_cst(long_integer_type_node);
    const array_section s = only_if_section_there(&f, a, &distance);
    only_if(&f, NE_EXPR, distance, zero);
    for (tree step : s.step)
        if (TREE_CODE(step) != INTEGER_CST)
            only_if(&f, GE_EXPR, step, zero);
    tree owned = in_memory(ptr_type_node, "owned"), slow = in_memory(TREE_TYPE(t->variable), "slow");
    if (t->memory) { /* the bounds in the descriptor are those of a packed array */
        only_if_extents(&f, t, &s);
        only_if_packed(&f, &s);
        set_part(&f.seq, t->variable, D_DATA, s.first);
    } else {
        set_descriptor(&f.seq, t->variable, &s);
        gimple_seq_add_stmt(&f.seq, gimple_build_assign(owned, build_zero_cst(ptr_type_node)));
    }
    fork_end(&f);

    gimple_stmt_iterator to = gsi_for_stmt(a->call);
    gsi_insert_before(&to, gimple_build_assign(slow, t->variable), GSI_SAME_STMT);
    for (unsigned i = 0; i < gimple_call_num_args(a->call); i++) {
        tree arg = gimple_call_arg(a->call, i);
        if (TREE_CODE(arg) == ADDR_EXPR && TREE_OPERAND(arg, 0) == t->variable)
            gimple_call_set_arg(a->call, i, build_fold_addr_expr(slow));
    }
    update_stmt(a->call);
    gimple_seq after = NULL;
    gimple_seq_add_stmt(&after, gimple_build_assign(t->variable, slow));
    if (!t->memory) {
        tree data = part_of(unshare_expr(slow), D_DATA, ptr_type_node), value = fresh(ptr_type_node);
        gimple_seq_add_stmt(&after, gimple_build_assign(value, data));
        gimple_seq_add_stmt(&after, gimple_build_assign(owned, value));
        for (gimple *g : {t->compared, t->freed}) {
            gimple_assign_set_rhs1(g, owned);
            update_stmt(g);
        }
    }
    gsi_insert_seq_after(&to, after, GSI_NEW_STMT);
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

bool recognise_get_of_array(coindexed *a, tree address, bool is_allocated)
{
    accessed *t = a->by_accessor.get();
    const array_section *s = &t->whole;
    if (TREE_CODE(address) != ADDR_EXPR || !VAR_P(TREE_OPERAND(address, 0)) || is_global_var(TREE_OPERAND(address, 0)))
        return stays_call(a, "its temporary is not known");
    t->variable = TREE_OPERAND(address, 0);
    if (!is_allocated && !find_memory(a, t))
        return stays_call(a, "its temporary has an unknown use");
    const bool is_contiguous = tree_int_cst_equal(s->step[0], TYPE_SIZE_UNIT(s->element));
    const bool may_move = is_allocated ? find_free(t) && reads_strides(t) : may_be_packed(s);
    const bool is_in_place = is_contiguous && may_move && all_harmless(a->call, t);
    a->emit = is_in_place ? emit_get_in_place : emit_get_copy;
    a->form = is_in_place ? "made reads of the other image's memory" : "made a loop";
    return true;
}
