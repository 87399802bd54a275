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
 * temporary remains, and the getter's loops are made here.
 *
 * If gfortran knows the temporary's shape, the temporary is a local array, or the program allocates it before the call,
 * and does not free it. In the second case the allocation is moved to the call, which is the slow path. */
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

/* The statement that uses the value, if there is only one. */
static gimple *only_use(tree name)
{
    use_operand_p use;
    gimple *g;
    return single_imm_use(name, &use, &g) ? g : NULL;
}

static bool is_copy(gimple *g)
{
    return is_gimple_assign(g) && TREE_CODE(gimple_assign_rhs1(g)) == SSA_NAME &&
        (gimple_assign_single_p(g) || CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(g)));
}

static bool is_freed(const accessed *t)
{
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gimple_call_builtin_p(gsi_stmt(gsi), BUILT_IN_FREE) &&
                load_of_data(gimple_call_arg(gsi_stmt(gsi), 0), t->variable))
                return true;
    return false;
}

/* Finds the call of malloc whose result is the temporary's address. Before the get, the address must only be copied to
 * the variable that the get's call passes, and the program must not free it: the library does. */
static bool find_allocation(accessed *t, const descriptor *d)
{
    tree p = d->data;
    gimple *g = SSA_NAME_DEF_STMT(p);
    for (; is_copy(g); g = SSA_NAME_DEF_STMT(p)) {
        p = gimple_assign_rhs1(g);
        if (only_use(p) != g)
            return false;
    }
    if (!only_use(d->data) || !gimple_call_builtin_p(g, BUILT_IN_MALLOC) || !t->copy || is_freed(t))
        return false;
    for (gimple *load : d->loads) {
        if (!is_load_of(load, t->variable, D_DATA))
            continue;
        gimple *use = only_use(gimple_assign_lhs(load));
        if (!use || gimple_get_lhs(use) != t->copy)
            return false;
    }
    t->allocation = as_a<gcall *>(g);
    return true;
}

/* Finds the memory whose address and shape are set before the call: a local array, or memory from malloc. */
static bool find_memory(const coindexed *a, accessed *t)
{
    descriptor d;
    if (!read_descriptor(&d, a->call, build_fold_addr_expr(t->variable)) || !d.data)
        return false;
    if (TREE_CODE(d.data) == ADDR_EXPR && VAR_P(TREE_OPERAND(d.data, 0)) && !is_global_var(TREE_OPERAND(d.data, 0)))
        t->memory = TREE_OPERAND(d.data, 0);
    else if (TREE_CODE(d.data) != SSA_NAME || !find_allocation(t, &d))
        return false;
    for (size_t i = 0; i < t->whole.extent.size(); i++) {
        if (!d.dim[i][LOWER] || !d.dim[i][UPPER])
            return false;
        t->bounds.push_back({d.dim[i][LOWER], d.dim[i][UPPER]});
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
    return strcmp(called_by(g), "_gfortran_caf_get_from_remote") == 0 ||
        strcmp(called_by(g), "_gfortran_caf_get_remote_function_index") == 0;
}

std::unordered_map<basic_block, bool> in_place_blocks;

static bool points_into_temporary(tree p, const accessed *t)
{
    while (TREE_CODE(p) == SSA_NAME && !load_of_data(p, t->variable)) {
        gimple *g = SSA_NAME_DEF_STMT(p);
        if (!is_gimple_assign(g))
            return false;
        p = gimple_assign_rhs1(g);
    }
    return TREE_CODE(p) == SSA_NAME;
}

static bool stores_into_temporary(gimple *g, const accessed *t)
{
    tree base = gimple_store_p(g) ? get_base_address(gimple_get_lhs(g)) : NULL;
    return base && TREE_CODE(base) == MEM_REF && points_into_temporary(TREE_OPERAND(base, 0), t);
}

/* Whether the temporary ends at the statement, if not by free. */
static bool ends(gimple *g, gimple *call, const accessed *t)
{
    tree variable = t->memory ? t->memory : t->allocation ? t->variable : NULL;
    return variable && (g == call || (gimple_clobber_p(g) && gimple_assign_lhs(g) == variable));
}

/* Whether all statements from the call to the temporary's end are harmless, on all paths; also returns these
 * statements. */
static bool all_harmless(gimple *call, const accessed *t, std::vector<gimple *> *passed)
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
            is_end = g == t->condition || ends(g, call, t);
            if (!is_end && (g == call || !is_harmless(g) || is_a<gasm *>(g) || stores_into_temporary(g, t)) &&
                !is_barrier(g))
                return false;
            passed->push_back(g);
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
        if (bb == EXIT_BLOCK_PTR_FOR_FN(cfun) && t->freed)
            return false; /* not freed on this path */
        gsi = gsi_start_bb(bb);
    }
}

/* --- what the section does not overlap ---------------------------------------------------------------------------- */

/* The address that p is computed from: a parameter, a variable, or the result of a statement that is no assignment. */
static tree origin(tree p)
{
    while (TREE_CODE(p) == SSA_NAME && is_gimple_assign(SSA_NAME_DEF_STMT(p))) {
        p = gimple_assign_rhs1(SSA_NAME_DEF_STMT(p));
        if (handled_component_p(p) || TREE_CODE(p) == MEM_REF) {
            tree base = get_base_address(p);
            p = TREE_CODE(base) == MEM_REF ? TREE_OPERAND(base, 0) : base;
        }
    }
    return p;
}

/* The base of a memory reference in the statement, as the operand that can be replaced. */
static tree *base_of(tree *reference)
{
    while (handled_component_p(*reference))
        reference = &TREE_OPERAND(*reference, 0);
    return reference;
}

/* Whether the statement's loop is between the call and the temporary's end. */
static bool is_loop_passed(gimple *g)
{
    return current_loops && gimple_bb(g)->loop_father && in_place_blocks.count(gimple_bb(g)->loop_father->header);
}

struct references {
    std::vector<tree *> stores, loads; /* their bases */
};

/* Finds the statement's stores into variables, and its loads of the section. False: it stores through a `restrict`
 * dummy argument. Then GCC itself knows that the section is not changed, and must not get two answers. */
static bool find_references(const accessed *t, const std::vector<gimple *> &passed, references *r)
{
    for (gimple *g : passed) {
        if (!gimple_assign_single_p(g) || gimple_has_volatile_ops(g) || gimple_clobber_p(g))
            continue;
        tree *to = base_of(gimple_assign_lhs_ptr(g)), *from = base_of(gimple_assign_rhs1_ptr(g));
        if (TREE_CODE(*from) == MEM_REF && points_into_temporary(TREE_OPERAND(*from, 0), t))
            r->loads.push_back(from);
        if (!gimple_store_p(g) || (DECL_P(*to) && !may_be_aliased(*to)))
            continue;
        tree p = TREE_CODE(*to) == MEM_REF ? origin(TREE_OPERAND(*to, 0)) : NULL_TREE;
        if (p && TREE_CODE(p) == SSA_NAME && TYPE_RESTRICT(TREE_TYPE(p)))
            return false;
        r->stores.push_back(to);
    }
    return true;
}

/* Tells GCC that the statement's stores do not change the section: the program's variables are in this image's memory,
 * and a temporary is no variable. Without this, loops that copy the section are neither vectorised at -O2 nor replaced
 * by memcpy. */
static void tell_apart(const accessed *t, const std::vector<gimple *> &passed)
{
    references r;
    if (!find_references(t, passed, &r))
        return;
    unsigned short clique = 0;
    for (tree *to : r.stores)
        if (TREE_CODE(*to) == MEM_REF && MR_DEPENDENCE_CLIQUE(*to))
            clique = MR_DEPENDENCE_CLIQUE(*to); /* of another get in the same expression */
    if (!clique)
        clique = cfun->last_clique = (unsigned short)(MAX(cfun->last_clique, 1) + 1); /* GCC reuses 1 */
    for (tree *to : r.stores) {
        if (DECL_P(*to))
            *to = memory(TREE_TYPE(*to), build_fold_addr_expr(*to), 0, TREE_TYPE(*to));
        MR_DEPENDENCE_CLIQUE(*to) = clique;
    }
    for (tree *from : r.loads) {
        MR_DEPENDENCE_CLIQUE(*from) = clique;
        MR_DEPENDENCE_BASE(*from) = 1;
    }
    for (gimple *g : passed)
        if (is_loop_passed(g)) /* it is so for all iterations, too */
            gimple_bb(g)->loop_father->owned_clique = clique;
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
    for (size_t i = 0; i < s->extent.size(); i++) {
        tree last = emit_op(&f->seq, MINUS_EXPR, t->bounds[i].second, t->bounds[i].first);
        only_if(f, EQ_EXPR, s->extent[i], emit_op(&f->seq, PLUS_EXPR, last, build_one_cst(long_integer_type_node)));
    }
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

/* Moves the allocation of the temporary to the call. */
static void move_allocation(const coindexed *a, const accessed *t)
{
    tree early = gimple_call_lhs(t->allocation), p = fresh(TREE_TYPE(early));
    gimple_stmt_iterator from = gsi_for_stmt(t->allocation), to = gsi_for_stmt(a->call);
    gsi_insert_before(&from, gimple_build_assign(early, build_zero_cst(TREE_TYPE(early))), GSI_SAME_STMT);
    gimple_call_set_lhs(t->allocation, p);
    gsi_move_before(&from, &to);
    update_stmt(t->allocation);
    gimple_seq seq = NULL;
    set_part(&seq, t->variable, D_DATA, p);
    gimple_seq_add_stmt(&seq, gimple_build_assign(t->copy, emit_convert(&seq, TREE_TYPE(t->copy), p)));
    gsi_insert_seq_before(&to, seq, GSI_SAME_STMT);
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
    if (!t->freed) { /* the bounds in the descriptor are those of a packed array */
        only_if_extents(&f, t, &s);
        only_if_packed(&f, &s);
        set_part(&f.seq, t->variable, D_DATA, s.first);
    } else {
        set_descriptor(&f.seq, t->variable, &s);
        gimple_seq_add_stmt(&f.seq, gimple_build_assign(owned, build_zero_cst(ptr_type_node)));
    }
    fork_end(&f);

    if (t->allocation)
        move_allocation(a, t);
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
    if (t->freed) {
        tree value = emit_read(&after, part_of(unshare_expr(slow), D_DATA, ptr_type_node));
        gimple_seq_add_stmt(&after, gimple_build_assign(owned, value));
        for (gimple *g : {t->compared, t->freed}) {
            gimple_assign_set_rhs1(g, owned);
            update_stmt(g);
        }
    }
    gsi_insert_seq_after(&to, after, GSI_NEW_STMT);
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

bool recognise_get_of_array(coindexed *a, tree address, tree copy, bool is_allocated)
{
    accessed *t = a->by_accessor.get();
    const array_section *s = &t->whole;
    if (TREE_CODE(address) != ADDR_EXPR || !VAR_P(TREE_OPERAND(address, 0)) || is_global_var(TREE_OPERAND(address, 0)))
        return stays_call(a, "its temporary is not known");
    t->variable = TREE_OPERAND(address, 0);
    t->copy = TREE_CODE(copy) == ADDR_EXPR && DECL_P(TREE_OPERAND(copy, 0)) ? TREE_OPERAND(copy, 0) : NULL;
    if (!is_allocated && !find_memory(a, t))
        return stays_call(a, "its temporary has an unknown use");
    const bool is_contiguous = tree_int_cst_equal(s->step[0], TYPE_SIZE_UNIT(s->element));
    const bool may_move = is_allocated ? find_free(t) && reads_strides(t) : may_be_packed(s);
    std::vector<gimple *> passed;
    const bool is_in_place = is_contiguous && may_move && all_harmless(a->call, t, &passed);
    if (is_in_place)
        tell_apart(t, passed);
    else if (t->allocation)
        return stays_call(a, "its temporary has an unknown use");
    a->emit = is_in_place ? emit_get_in_place : emit_get_copy;
    a->form = is_in_place ? "made reads of the other image's memory" : "made a loop";
    return true;
}
