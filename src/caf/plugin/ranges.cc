/* The bounds checks of loops.
 *
 * If an offset changes in a loop by a constant step, offset < bytes holds for all iterations if it holds for the first
 * and the last iteration. Both are checked before the loop. Before the pass, and after it:
 *
 *     loop:                                                           all = first < bytes && last < bytes;
 *       if (offset < bytes) fast else slow                          loop:
 *                                                                     if (all || offset < bytes) fast else slow
 *
 * GCC's next pass makes two loops of it, and vectorises the loop with `all`. */
#include "plugin.h"

enum : HOST_WIDE_INT { HALF = (HOST_WIDE_INT)1 << 32 }; /* 2 to the power of half an offset's bits */

/* Whether t is a coarray's size as only_if_near_and_inside uses it, 0 if the image is not near. */
static bool is_bytes(tree t, int depth = 0)
{
    enum { DEEP = 5 };
    gimple *g = TREE_CODE(t) == SSA_NAME ? SSA_NAME_DEF_STMT(t) : NULL;
    if (!g || depth > DEEP)
        return false;
    if (gphi *phi = dyn_cast<gphi *>(g)) {
        for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
            if (is_bytes(gimple_phi_arg_def(phi, i), depth + 1))
                return true;
        return false;
    }
    if (!is_gimple_assign(g))
        return false;
    const enum tree_code code = gimple_assign_rhs_code(g);
    if (code == COND_EXPR)
        return is_bytes(gimple_assign_rhs2(g), depth + 1) || is_bytes(gimple_assign_rhs3(g), depth + 1);
    return is_load_of_bytes(g) || (CONVERT_EXPR_CODE_P(code) && is_bytes(gimple_assign_rhs1(g), depth + 1));
}

/* t without signed overflow: before the loop, it is computed even if the loop would never compute it. */
static tree modular(tree t)
{
    tree type = TREE_TYPE(t);
    const enum tree_code code = TREE_CODE(t);
    if (!INTEGRAL_TYPE_P(type))
        return t;
    if (CONVERT_EXPR_CODE_P(code))
        return fold_convert(type, modular(TREE_OPERAND(t, 0)));
    if (code != PLUS_EXPR && code != MINUS_EXPR && code != MULT_EXPR)
        return t;
    tree wraps = unsigned_type_for(type), operand[2];
    for (int i = 0; i < 2; i++)
        operand[i] = fold_convert(wraps, modular(TREE_OPERAND(t, i)));
    return fold_convert(type, fold_build2(code, wraps, operand[0], operand[1]));
}

/* Expresses t as base + i * step, modulo 2**64. */
static bool is_even(class loop *loop, tree t, tree *base, tree *step, int depth = 0)
{
    enum { DEEP = 12 };
    tree size = size_type_node;
    if (depth > DEEP)
        return false;
    if (TREE_CODE(t) == INTEGER_CST || expr_invariant_in_loop_p(loop, t)) {
        *base = fold_convert(size, t);
        *step = size_zero_node;
        return true;
    }
    if (TREE_CODE(t) != SSA_NAME)
        return false;
    affine_iv iv;
    if (simple_iv(loop, loop, t, &iv, true) && TREE_CODE(iv.step) == INTEGER_CST) {
        *base = fold_convert(size, modular(iv.base));
        *step = fold_convert(size, iv.step);
        return true;
    }
    gimple *g = SSA_NAME_DEF_STMT(t);
    if (!is_gimple_assign(g))
        return false;
    const enum tree_code code = gimple_assign_rhs_code(g);
    tree a = gimple_assign_rhs1(g), a_base, a_step, b_base, b_step;
    if (CONVERT_EXPR_CODE_P(code))
        return TYPE_PRECISION(TREE_TYPE(a)) == TYPE_PRECISION(size) && is_even(loop, a, base, step, depth + 1);
    if ((code != PLUS_EXPR && code != MINUS_EXPR && code != POINTER_PLUS_EXPR) ||
        !is_even(loop, a, &a_base, &a_step, depth + 1) ||
        !is_even(loop, gimple_assign_rhs2(g), &b_base, &b_step, depth + 1))
        return false;
    const enum tree_code op = code == MINUS_EXPR ? MINUS_EXPR : PLUS_EXPR;
    *base = fold_build2(op, size, a_base, b_base);
    *step = fold_build2(op, size, a_step, b_step);
    return TREE_CODE(*step) == INTEGER_CST;
}

static tree gimplified(gimple_seq *seq, tree expression)
{
    gimple_seq more = NULL;
    tree value = force_gimple_operand(unshare_expr(expression), &more, true, NULL);
    gimple_seq_add_seq(seq, more);
    return value;
}

/* Whether first, and first + n * step, are below the limit, n is the expected number, and n * step cannot wrap. */
static tree emit_all_inside(gimple_seq *seq, tree first, tree step, tree limit, const class tree_niter_desc *d)
{
    tree size = size_type_node, niter_type = TREE_TYPE(d->niter);
    tree n = integer_zerop(d->may_be_zero) ? d->niter
             : fold_build3(COND_EXPR, niter_type, d->may_be_zero, build_zero_cst(niter_type), d->niter);
    tree last = fold_build2(PLUS_EXPR, size, first, fold_build2(MULT_EXPR, size, fold_convert(size, n), step));
    limit = gimplified(seq, fold_convert(size, limit));
    tree a = emit(seq, boolean_type_node, LT_EXPR, gimplified(seq, first), limit);
    tree b = emit(seq, boolean_type_node, LT_EXPR, gimplified(seq, last), limit);
    /* MUTANT the last is inside: a, b => a, a */
    tree all = emit(seq, boolean_type_node, BIT_AND_EXPR, a, b);
    if (TYPE_PRECISION(niter_type) > 32)
        all = emit(seq, boolean_type_node, BIT_AND_EXPR, all,
                   emit(seq, boolean_type_node, LT_EXPR, gimplified(seq, fold_convert(size, n)), size_int(HALF)));
    if (integer_onep(d->assumptions))
        return all;
    return emit(seq, boolean_type_node, BIT_AND_EXPR, all,
                gimplified(seq, fold_convert(boolean_type_node, d->assumptions)));
}

/* Makes the condition in the loop: if (all) inside, else the unchanged condition. */
static void ask_first(gcond *c, bool inside_is_true, tree all)
{
    basic_block bb = gimple_bb(c);
    edge inside = NULL, e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs)
        if (!!(e->flags & EDGE_TRUE_VALUE) == inside_is_true)
            inside = e;
    basic_block target = split_edge(inside);
    gimple_stmt_iterator gsi = gsi_for_stmt(c);
    gimple *nop = gimple_build_nop();
    gsi_insert_before(&gsi, nop, GSI_SAME_STMT);
    split_block(bb, nop);
    gsi = gsi_for_stmt(nop);
    gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, all, boolean_false_node, NULL, NULL), GSI_NEW_STMT);
    gsi = gsi_for_stmt(nop);
    gsi_remove(&gsi, true);
    e = single_succ_edge(bb);
    e->flags &= ~EDGE_FALLTHRU;
    e->flags |= EDGE_FALSE_VALUE;
    e->probability = profile_probability::very_unlikely();
    e = make_edge(bb, target, EDGE_TRUE_VALUE);
    e->probability = profile_probability::very_likely();
}

/* Only an exit that is checked in each iteration determines the number of iterations. */
static bool widen(class loop *loop, gcond *c)
{
    tree offset = gimple_cond_lhs(c), bytes = gimple_cond_rhs(c);
    bool inside_is_true = gimple_cond_code(c) == LT_EXPR;
    if (gimple_cond_code(c) == GT_EXPR || gimple_cond_code(c) == LE_EXPR) { /* bytes > offset, bytes <= offset */
        std::swap(offset, bytes);
        inside_is_true = gimple_cond_code(c) == GT_EXPR;
    } else if (gimple_cond_code(c) != LT_EXPR && gimple_cond_code(c) != GE_EXPR) {
        return false;
    }
    if (TREE_CODE(offset) != SSA_NAME || !is_bytes(bytes) || !expr_invariant_in_loop_p(loop, bytes))
        return false;
    tree base, step;
    edge exit = single_exit(loop);
    class tree_niter_desc d;
    gcond *at = NULL;
    /* MUTANT exits are asked each time: &at, true => &at, false */
    if (!is_even(loop, offset, &base, &step) || IN_RANGE(tree_to_uhwi(step), HALF / 2, -HALF / 2) || !exit ||
        !number_of_iterations_exit_assumptions(loop, exit, &d, &at, true) || chrec_contains_undetermined(d.niter) ||
        integer_zerop(d.assumptions))
        return false;
    gimple_seq seq = NULL;
    tree all = emit_all_inside(&seq, base, step, bytes, &d);
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), seq);
    ask_first(c, inside_is_true, all);
    return true;
}

static gimple *last_statement(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
    return gsi_end_p(gsi) ? NULL : gsi_stmt(gsi);
}

static const pass_data range_data = {
    GIMPLE_PASS, "caf_range", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

struct range_pass : gimple_opt_pass {
    range_pass(gcc::context *c) : gimple_opt_pass(range_data, c) {}
    bool gate(function *) final override
    {
        return options.near && options.bounds && flag_unswitch_loops;
    }
    unsigned execute(function *fun) final override
    {
        std::vector<gcond *> conditions;
        basic_block bb;
        FOR_EACH_BB_FN(bb, fun)
            if (loop_outer(bb->loop_father) && !bb->loop_father->inner)
                if (gcond *c = safe_dyn_cast<gcond *>(last_statement(bb)))
                    conditions.push_back(c);
        bool is_changed = false;
        for (gcond *c : conditions)
            is_changed |= widen(gimple_bb(c)->loop_father, c);
        if (!is_changed)
            return 0;
        free_dominance_info(CDI_DOMINATORS);
        free_dominance_info(CDI_POST_DOMINATORS);
        scev_reset();
        calculate_dominance_info(CDI_DOMINATORS);
        return TODO_update_ssa;
    }
};

gimple_opt_pass *make_range_pass(gcc::context *context)
{
    return new range_pass(context);
}
