/* gfortran 15 and 16: puts of an array expression, which gfortran computes in a temporary.
 *
 * If the image is near and not this image, the section itself replaces the temporary. Before the pass, and after it:
 *
 *     p = malloc (bytes);                                 if (d is near && d != 0 && inside)
 *     atmp.data = p;                                        { p = section + d; there = 1; }
 *     ... atmp.data[i] = expression ...                   else { p = malloc (bytes); there = 0; }
 *     _gfortran_caf_send_to_remote (..., &atmp, ...);     ... the same ...
 *     free (atmp.data);                                   if (!there) { call (...); free (atmp.data); }
 *
 * The operands of the call are computed before the allocation. No statement in between changes their sources,
 * because all stores are into the temporary, and there is no other call. */
#include "accessor.h"

/* --- between the allocation and the call -------------------------------------------------------------------------- */

struct between {
    tree temporary;  /* the variable of its descriptor */
    tree add_data;   /* the variable; or NULL */
    gcall *allocation, *call;
    std::vector<gimple *> add_stores;
};

/* A pointer into the temporary. */
static bool is_in_temporary(const between *b, tree p)
{
    if (TREE_CODE(p) != SSA_NAME)
        return false;
    gimple *g = SSA_NAME_DEF_STMT(p);
    if (g == b->allocation || load_of_data(p, b->temporary))
        return true;
    return is_gimple_assign(g) && !gimple_vuse(g) && TREE_CODE(gimple_assign_rhs1(g)) == SSA_NAME &&
        (gimple_assign_single_p(g) || CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(g)) ||
         gimple_assign_rhs_code(g) == POINTER_PLUS_EXPR) &&
        is_in_temporary(b, gimple_assign_rhs1(g));
}

static bool is_allowed_store(between *b, gimple *g)
{
    tree to = gimple_get_lhs(g), base = get_base_address(to);
    HOST_WIDE_INT byte;
    if (gimple_has_volatile_ops(g) || !base)
        return false;
    if (TREE_CODE(base) == MEM_REF)
        return is_in_temporary(b, TREE_OPERAND(base, 0));
    if (base == b->temporary)
        return has_constant_place(to, &byte) && (byte == D_DATA || byte == D_OFFSET);
    if (b->add_data && base == b->add_data) {
        b->add_stores.push_back(g);
        return has_constant_place(to, &byte) && gimple_assign_single_p(g);
    }
    const char *name = VAR_P(to) && DECL_NAME(to) ? IDENTIFIER_POINTER(DECL_NAME(to)) : "";
    return VAR_P(to) && (strncmp(name, "__caf_", 6) == 0 ||
                         (gimple_assign_single_p(g) && load_of_data(gimple_assign_rhs1(g), b->temporary)));
}

static bool is_allowed(between *b, gimple *g)
{
    if (is_gimple_debug(g) || gimple_code(g) == GIMPLE_LABEL || gimple_code(g) == GIMPLE_PREDICT || gimple_nop_p(g))
        return true;
    if (is_gimple_call(g))
        return !gimple_vuse(g) || strcmp(called_by(g), "_gfortran_caf_get_remote_function_index") == 0;
    if (is_a<gcond *>(g))
        return true;
    return is_gimple_assign(g) && (!gimple_vdef(g) || is_allowed_store(b, g));
}

static bool read_between(between *b)
{
    enum { MOST_BLOCKS = 100 };
    std::vector<basic_block> todo;
    std::unordered_map<basic_block, bool> seen;
    basic_block bb = gimple_bb(b->allocation);
    gimple_stmt_iterator gsi = gsi_for_stmt(b->allocation);
    for (gsi_next(&gsi);;) {
        if (in_place_blocks.count(bb))
            return false;
        for (; !gsi_end_p(gsi) && gsi_stmt(gsi) != b->call; gsi_next(&gsi))
            if (!is_allowed(b, gsi_stmt(gsi)))
                return false;
        edge e;
        edge_iterator ei;
        if (gsi_end_p(gsi))
            FOR_EACH_EDGE(e, ei, bb->succs) {
                if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) || e->dest == gimple_bb(b->allocation))
                    return false;
                if (!seen[e->dest]) {
                    seen[e->dest] = true;
                    todo.push_back(e->dest);
                }
            }
        if (todo.empty())
            return true;
        if (seen.size() > MOST_BLOCKS)
            return false;
        bb = todo.back();
        todo.pop_back();
        gsi = gsi_start_bb(bb);
    }
}

/* --- operands of the call, computed before the allocation --------------------------------------------------------- */

static bool is_before(gimple *g, gimple *mark)
{
    if (gimple_bb(g) != gimple_bb(mark))
        return dominated_by_p(CDI_DOMINATORS, gimple_bb(mark), gimple_bb(g));
    if (is_a<gphi *>(g))
        return true;
    for (gimple_stmt_iterator gsi = gsi_for_stmt(g); !gsi_end_p(gsi); gsi_next(&gsi))
        if (gsi_stmt(gsi) == mark)
            return true;
    return false;
}

static tree early(remake *r, gimple *mark, tree t);

/* A copy of the reference whose SSA names have been computed early. */
static tree early_reference(remake *r, gimple *mark, tree reference)
{
    tree copy = unshare_expr(reference);
    for (tree *part = &copy; *part && (handled_component_p(*part) || TREE_CODE(*part) == MEM_REF);
         part = &TREE_OPERAND(*part, 0)) {
        const int n = TREE_CODE(*part) == MEM_REF || TREE_CODE(*part) == ARRAY_REF ? 2 : 1;
        for (int i = TREE_CODE(*part) == MEM_REF ? 0 : 1; i < n; i++)
            if (TREE_CODE(TREE_OPERAND(*part, i)) == SSA_NAME) {
                tree name = early(r, mark, TREE_OPERAND(*part, i));
                if (!name)
                    return NULL;
                TREE_OPERAND(*part, i) = name;
            }
        if (TREE_CODE(*part) == MEM_REF)
            break;
        if (TREE_CODE(*part) == ARRAY_RANGE_REF || TREE_CODE(*part) == BIT_FIELD_REF)
            return NULL;
    }
    return copy;
}

/* An operand of the call, or of a statement in between, computed before the allocation; NULL if that is impossible. */
static tree early(remake *r, gimple *mark, tree t)
{
    if (TREE_CODE(t) != SSA_NAME)
        return is_gimple_min_invariant(t) ? t : NULL;
    gimple *g = SSA_NAME_DEF_STMT(t);
    if (SSA_NAME_IS_DEFAULT_DEF(t) || is_before(g, mark))
        return t;
    if (!is_gimple_assign(g) || gimple_has_volatile_ops(g) || gimple_num_ops(g) > 3)
        return NULL;
    if (gimple_assign_load_p(g)) {
        tree reference = early_reference(r, mark, gimple_assign_rhs1(g));
        return reference ? emit_read(&r->made, reference) : NULL;
    }
    tree operand[2] = {};
    for (unsigned i = 1; i < gimple_num_ops(g); i++) {
        operand[i - 1] = early(r, mark, gimple_op(g, i));
        if (!operand[i - 1])
            return NULL;
    }
    return gimple_assign_single_p(g)
        ? operand[0]
        : emit(&r->made, TREE_TYPE(t), gimple_assign_rhs_code(g), operand[0], operand[1]);
}

/* Computes the contents that add_data will have at the call. */
static bool make_add_data(remake *r, const between *b)
{
    for (gimple *g : b->add_stores) {
        tree value = early(r, b->allocation, gimple_assign_rhs1(g));
        if (!value)
            return false;
        gimple_seq_add_stmt(&r->made, gimple_build_assign(unshare_expr(gimple_assign_lhs(g)), value));
    }
    return true;
}

/* --- emission ----------------------------------------------------------------------------------------------------- */

static void only_if_absent(gimple *g, tree is_there)
{
    branching f = fork_at(g);
    only_if(&f, NE_EXPR, is_there, boolean_false_node);
    fork_end(&f);
}

static void emit_put_in_place(coindexed *a)
{
    const accessed *o = a->by_accessor.get();
    gcall *allocation = o->allocation;
    branching f = fork_at(allocation);
    gimple_seq_add_seq(&f.seq, o->made);
    tree offset = emit_place(&f.seq, a, o->early_token, o->whole.first), table, bytes;
    tree distance = only_if_near(&f, o->early_image, &table), zero = build_zero_cst(TREE_TYPE(distance));
    only_if(&f, NE_EXPR, distance, zero);
    for (tree extent : o->whole.extent)
        if (TREE_CODE(extent) != INTEGER_CST)
            only_if(&f, GT_EXPR, extent, zero);
    only_if_packed(&f, &o->whole);
    packed_like(&f.seq, &o->whole, NULL, &bytes);
    bytes = emit_convert(&f.seq, size_type_node, bytes);
    only_if(&f, EQ_EXPR, bytes, emit_convert(&f.seq, size_type_node, gimple_call_arg(allocation, 0)));
    only_if_inside(&f, o->early_token, offset, bytes, table);
    only_if_pending(&f);
    tree p = gimple_call_lhs(allocation), slow = fresh(TREE_TYPE(p));
    tree at = emit_add(&f.seq, emit_convert(&f.seq, TREE_TYPE(p), o->whole.first), distance);
    edge from_fast = fork_end(&f);
    gimple_call_set_lhs(allocation, slow);
    update_stmt(allocation);
    join(&f, p, from_fast, at, slow);
    tree is_there = join(&f, fresh(boolean_type_node), from_fast, boolean_true_node, boolean_false_node);
    only_if_absent(a->call, is_there);
    only_if_absent(o->end, is_there);
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

/* Finds the statement that allocates the temporary, and the call that frees it after the put. */
static bool find_memory(between *b, gcall **end)
{
    gimple *only = NULL;
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
            gimple *g = gsi_stmt(gsi);
            HOST_WIDE_INT byte;
            if (!gimple_store_p(g) || gimple_clobber_p(g) || get_base_address(gimple_get_lhs(g)) != b->temporary ||
                !has_constant_place(gimple_get_lhs(g), &byte) || byte != D_DATA)
                continue;
            if (only || !gimple_assign_single_p(g))
                return false;
            only = g;
        }
    tree p = only ? gimple_assign_rhs1(only) : NULL;
    gimple *g = NULL;
    while (p && TREE_CODE(p) == SSA_NAME) {
        g = SSA_NAME_DEF_STMT(p);
        p = is_gimple_assign(g) && (gimple_assign_single_p(g) || CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(g))) &&
                !gimple_vuse(g)
            ? gimple_assign_rhs1(g)
            : NULL;
    }
    if (!g || !gimple_call_builtin_p(g, BUILT_IN_MALLOC) || !gimple_call_lhs(g))
        return false;
    b->allocation = as_a<gcall *>(g);
    gimple_stmt_iterator gsi = gsi_for_stmt(b->call);
    for (gsi_next(&gsi); !gsi_end_p(gsi); gsi_next(&gsi))
        if (gimple_call_builtin_p(gsi_stmt(gsi), BUILT_IN_FREE) &&
            load_of_data(gimple_call_arg(gsi_stmt(gsi), 0), b->temporary)) {
            *end = as_a<gcall *>(gsi_stmt(gsi));
            return true;
        } else if (is_gimple_call(gsi_stmt(gsi))) {
            return false;
        }
    return false;
}

static tree local_at(tree address)
{
    tree v = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL;
    return v && VAR_P(v) && !is_global_var(v) ? v : NULL;
}

/* If this is false, the copy of recognise_put_copy remains. */
bool recognise_put_in_place(coindexed *a, tree fn, tree buffer, tree address, tree add_data)
{
    accessed *o = a->by_accessor.get();
    between b = {local_at(address), integer_zerop(add_data) ? NULL : local_at(add_data), NULL, a->call, {}};
    gcall *end;
    if (o->is_behind || !may_be_packed(&o->whole) || !b.temporary || (!integer_zerop(add_data) && !b.add_data) ||
        !find_memory(&b, &end))
        return false;
    calculate_dominance_info(CDI_DOMINATORS);
    if (!is_before(b.allocation, a->call) || !read_between(&b))
        return false;
    remake r;
    array_section whole;
    tree token = early(&r, b.allocation, a->token), image = early(&r, b.allocation, a->image);
    tree kept = a->token, base = o->base;
    bool is_known = token && image && make_add_data(&r, &b);
    if (is_known) {
        if (b.add_data)
            r.parameters.push_back({DECL_ARGUMENTS(fn), add_data, VALUES});
        a->token = token;
        array_section mine;
        enum tree_code conversion;
        is_known = set_object(a, &r, fn);
        r.parameters.push_back({buffer, address, LOCAL_DESCRIPTOR});
        is_known = is_known && read_put_loops(&r, fn, buffer, &mine, &whole, &conversion) &&
            types_compatible_p(mine.element, whole.element);
        a->token = kept;
    }
    if (!is_known) {
        remake_drop(&r);
        o->base = base;
        return false;
    }
    o->made = r.made;
    o->whole = whole;
    o->early_token = token;
    o->early_image = image;
    o->allocation = b.allocation;
    o->end = end;
    a->emit = emit_put_in_place;
    a->form = "made stores into the other image's memory";
    return true;
}
