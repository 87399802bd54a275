/* gfortran 12 to 14: _gfortran_caf_send and _gfortran_caf_get, whose sides are two descriptors, and
 * _gfortran_caf_sendget between two images. The descriptor of a coindexed side has the data's address in this
 * image's memory. */
#include "plugin.h"

enum argument_at { TOKEN, OFFSET, IMAGE, THERE, THERE_VECTORS, HERE, KINDS, OTHER_KIND, MAY_OVERLAP, STAT, TEAM };

static bool is_given(const coindexed *a, argument_at i)
{
    return gimple_call_num_args(a->call) > (unsigned)i && !integer_zerop(gimple_call_arg(a->call, i));
}

/* address + distance, as an addition to the invariant sum of the base pointer and the distance. */
static tree emit_moved(gimple_seq *seq, tree address, tree distance)
{
    gimple *g = TREE_CODE(address) == SSA_NAME ? SSA_NAME_DEF_STMT(address) : NULL;
    if (g && is_gimple_assign(g) && CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(g)) &&
        POINTER_TYPE_P(TREE_TYPE(gimple_assign_rhs1(g))))
        return emit_convert(seq, TREE_TYPE(address), emit_moved(seq, gimple_assign_rhs1(g), distance));
    if (!g || !is_gimple_assign(g) || gimple_assign_rhs_code(g) != ADDR_EXPR)
        return emit_add(seq, address, distance);
    tree moved = unshare_expr(gimple_assign_rhs1(g)), base = get_base_address(TREE_OPERAND(moved, 0));
    if (TREE_CODE(base) != MEM_REF)
        return emit_add(seq, address, distance);
    TREE_OPERAND(base, 0) = emit_add(seq, TREE_OPERAND(base, 0), distance);
    tree at = fresh(TREE_TYPE(address));
    gimple_seq_add_stmt(seq, gimple_build_assign(at, moved));
    return at;
}

shape emit_there(branching *f, coindexed *a, tree, tree distance)
{
    only_if_alike(f, &a->there, &a->of_there, a->there_rank);
    shape s = emit_shape(&f->seq, &a->there, &a->of_there, a->there_rank);
    s.at = emit_moved(&f->seq, s.at, distance);
    s.token = a->token;
    s.offset = a->offset;
    if (may_be_substring(a)) {
        tree size = size_type_node, length = emit_convert(&f->seq, size, s.size);
        length = emit(&f->seq, size, MAX_EXPR, length, size_one_node);
        tree rest = emit(&f->seq, size, TRUNC_MOD_EXPR, emit_convert(&f->seq, size, a->offset), length);
        only_if(f, EQ_EXPR, rest, size_zero_node); /* MUTANT substrings */
    }
    return s;
}

static bool recognise_sides(coindexed *a, unsigned there, unsigned here, unsigned kinds)
{
    gcall *call = a->call;
    if (!read_descriptor(&a->there, call, gimple_call_arg(call, there)) ||
        !read_descriptor(&a->here, call, gimple_call_arg(call, here)))
        return stays_call(a, "its descriptor is not known");
    a->is_same_kind = operand_equal_p(gimple_call_arg(call, kinds), gimple_call_arg(call, kinds + 1), 0);
    if (const char *why = choose_way(a))
        return stays_call(a, why);
    a->emit = emit_assignment;
    return true;
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
    a->barrier = barrier_of(call, a->is_put);
    return recognise_sides(a, THERE, HERE, KINDS);
}

/* Between images: the other side is the source. */
bool recognise_between(coindexed *a)
{
    enum {
        TO_TOKEN, TO_OFFSET, TO_IMAGE, TO, TO_VECTORS, FROM_TOKEN, FROM_OFFSET, FROM_IMAGE, FROM, FROM_VECTORS, TO_KIND,
        FROM_KIND, OVERLAP, ANY_STAT,
    };
    gcall *call = a->call;
    if (gimple_call_num_args(call) < ANY_STAT + 1u)
        return stays_call(a, "a call of another form");
    if (!integer_zerop(gimple_call_arg(call, ANY_STAT)))
        return stays_call(a, "stat= is given");
    if (!integer_zerop(gimple_call_arg(call, TO_VECTORS)) || !integer_zerop(gimple_call_arg(call, FROM_VECTORS)))
        return stays_call(a, "a vector subscript");
    a->token = gimple_call_arg(call, TO_TOKEN);
    a->offset = gimple_call_arg(call, TO_OFFSET);
    a->image = gimple_call_arg(call, TO_IMAGE);
    a->from_token = gimple_call_arg(call, FROM_TOKEN);
    a->from_offset = gimple_call_arg(call, FROM_OFFSET);
    a->from_image = gimple_call_arg(call, FROM_IMAGE);
    a->barrier = barrier_of(call, true);
    a->barrier_before = barrier_of(call, false);
    return recognise_sides(a, TO, FROM, TO_KIND);
}
