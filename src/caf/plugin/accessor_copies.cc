/* gfortran 15 and 16: sections that are copied, in one piece or by a nest of loops.
 *
 * A receiver copies a contiguous array of the program, or a temporary, into the section; a getter copies the section
 * into a temporary. If the image is near, the copy is made here. */
#include "accessor.h"

static tree word(HOST_WIDE_INT n)
{
    return build_int_cst(long_integer_type_node, n);
}

/* --- sections ----------------------------------------------------------------------------------------------------- */

static tree bytes_of(const array_section *s)
{
    return fold_convert(long_integer_type_node, TYPE_SIZE_UNIT(s->element));
}

/* Whether the section may be packed, as far as is known at compile time. */
bool may_be_packed(const array_section *s)
{
    tree packed = bytes_of(s);
    for (size_t i = 0; i < s->extent.size(); i++) {
        if (TREE_CODE(s->step[i]) == INTEGER_CST && !tree_int_cst_equal(s->step[i], packed))
            return false;
        if (i == 0 && TREE_CODE(s->step[0]) != INTEGER_CST)
            return false;
        if (TREE_CODE(s->extent[i]) != INTEGER_CST)
            return true;
        packed = fold_build2(MULT_EXPR, long_integer_type_node, packed, s->extent[i]);
    }
    return true;
}

/* Each dimension continues the previous one without a gap; the first one is contiguous. */
void only_if_packed(branching *f, const array_section *s)
{
    gimple_seq *seq = &f->seq;
    tree packed = bytes_of(s);
    for (size_t i = 0; i < s->extent.size(); i++) {
        if (i > 0)
            only_if(f, EQ_EXPR, s->step[i], packed);
        packed = emit_op(seq, MULT_EXPR, packed, s->extent[i]);
    }
}

/* A packed section of that shape at the address. */
array_section packed_like(gimple_seq *seq, const array_section *s, tree at, tree *bytes)
{
    array_section packed = {s->element, at, s->extent, {}};
    *bytes = bytes_of(s);
    for (tree extent : s->extent) {
        packed.step.push_back(*bytes);
        *bytes = emit_op(seq, MULT_EXPR, *bytes, extent);
    }
    return packed;
}

/* The number of bytes from the section's lowest byte to its highest, and from the lowest to its first element. */
static tree only_if_not_empty(branching *f, const array_section *s, tree *before)
{
    gimple_seq *seq = &f->seq;
    tree bytes = bytes_of(s), zero = word(0);
    *before = zero;
    for (size_t i = 0; i < s->extent.size(); i++) {
        tree n = s->extent[i];
        if (TREE_CODE(n) != INTEGER_CST || tree_int_cst_sgn(n) <= 0)
            only_if(f, GT_EXPR, n, zero);
        tree span = emit_op(seq, MULT_EXPR, emit_op(seq, MINUS_EXPR, n, word(1)), s->step[i]);
        tree back = TREE_CODE(s->step[i]) == INTEGER_CST && tree_int_cst_sgn(s->step[i]) >= 0
            ? zero
            : emit_op(seq, MAX_EXPR, emit_op(seq, MINUS_EXPR, zero, span), zero);
        *before = emit_op(seq, PLUS_EXPR, back, *before);
        bytes = emit_op(seq, PLUS_EXPR, bytes, emit_op(seq, PLUS_EXPR, span, emit_op(seq, MULT_EXPR, back, word(2))));
    }
    return bytes;
}

static void only_if_bytes_in_heaps(branching *f, tree table, tree at, tree bytes)
{
    gimple_seq *seq = &f->seq;
    tree heaps = emit_load_word(seq, size_type_node, table, CAF_NEAR_HEAPS);
    tree all = emit_load_word(seq, size_type_node, table, CAF_NEAR_HEAPS_BYTES);
    tree offset = emit(seq, size_type_node, MINUS_EXPR, emit_convert(seq, size_type_node, at), heaps);
    only_if(f, LT_EXPR, offset, all);
    only_if(f, LE_EXPR, emit_convert(seq, size_type_node, bytes), emit(seq, size_type_node, MINUS_EXPR, all, offset));
}

/* The section in the other image's memory, if the image is near and the section is in the coarray. */
array_section only_if_section_there(branching *f, coindexed *a, tree *distance)
{
    accessed *o = a->by_accessor.get();
    tree table, before, bytes;
    if (!o->is_behind) {
        gimple_seq_add_seq(&f->seq, o->made);
        tree offset = emit_place(&f->seq, a, a->token, o->whole.first);
        *distance = only_if_near(f, a->image, &table);
        bytes = only_if_not_empty(f, &o->whole, &before);
        only_if_inside(f, a->token, emit_op(&f->seq, MINUS_EXPR, offset, before), bytes, table);
        only_if_pending(f);
        array_section there = o->whole;
        there.first = emit_add(&f->seq, emit_convert(&f->seq, ptr_type_node, there.first), *distance);
        return there;
    }
    walk w = {f, a->token, NULL, NULL};
    *distance = w.distance = only_if_near(f, a->image, &w.table);
    remake r;
    set_sections(a, &r, &w);
    gimple_seq_add_seq(&f->seq, r.made);
    bytes = only_if_not_empty(f, &o->whole, &before);
    tree lowest = emit_op(&f->seq, MINUS_EXPR, o->whole.first, before);
    only_if_bytes_in_heaps(f, w.table, lowest, bytes);
    array_section there = o->whole;
    there.first = emit_convert(&f->seq, ptr_type_node, there.first);
    return there;
}

/* --- a nest of loops ---------------------------------------------------------------------------------------------- */

struct nest {
    const array_section *to, *from;
    enum tree_code conversion;
    tree scalar; /* the common value of all elements, or NULL */
};

static tree emit_converted(gimple_seq *seq, const nest *n, tree at)
{
    tree value = emit_read(seq, memory(n->from->element, at, 0, n->from->element));
    return useless_type_conversion_p(n->to->element, n->from->element)
        ? value
        : emit(seq, n->to->element, n->conversion, value);
}

/* *to = *from, one element. */
static void emit_element_copy(gimple_seq *seq, const nest *n, tree to, tree from)
{
    tree there = memory(n->to->element, to, 0, n->to->element);
    tree value = n->scalar                       ? n->scalar
        : is_gimple_reg_type(n->to->element) ? emit_converted(seq, n, from)
                                                 : memory(n->from->element, from, 0, n->from->element);
    gimple_seq_add_stmt(seq, gimple_build_assign(there, value));
}

/* i = 0; do ... while (++i < extent), in which both addresses advance by their steps. */
static void emit_level(branching *f, const nest *n, size_t dim, tree to, tree from)
{
    basic_block before = f->at, body = next_block(f);
    emit_flush(f);
    make_single_succ_edge(before, body, EDGE_FALLTHRU)->probability = profile_probability::always();
    f->at = body;
    const tree begin[] = {word(0), to, from};
    tree now[] = {fresh(long_integer_type_node), fresh(ptr_type_node), fresh(ptr_type_node)};
    gphi *phis[3];
    for (int i = 0; i < 3; i++)
        phis[i] = create_phi_node(now[i], body);
    if (dim == 0)
        emit_element_copy(&f->seq, n, now[1], now[2]);
    else
        emit_level(f, n, dim - 1, now[1], now[2]);
    const tree next[] = {emit_op(&f->seq, PLUS_EXPR, now[0], word(1)), emit_add(&f->seq, now[1], n->to->step[dim]),
                         emit_add(&f->seq, now[2], n->from->step[dim])};
    gimple_seq_add_stmt(&f->seq, gimple_build_cond(LT_EXPR, next[0], n->to->extent[dim], NULL, NULL));
    basic_block last = f->at, after = next_block(f);
    emit_flush(f);
    edge again = make_edge(last, body, EDGE_TRUE_VALUE), out = make_edge(last, after, EDGE_FALSE_VALUE);
    again->probability = profile_probability::likely();
    out->probability = profile_probability::unlikely();
    for (int i = 0; i < 3; i++) {
        add_phi_arg(phis[i], begin[i], find_edge(before, body), UNKNOWN_LOCATION);
        add_phi_arg(phis[i], next[i], again, UNKNOWN_LOCATION);
    }
    f->at = after;
}

void emit_nest(branching *f, const array_section *to, const array_section *from, enum tree_code conversion)
{
    nest n = {to, from, conversion, NULL};
    bool is_scalar = true;
    for (tree step : from->step)
        is_scalar = is_scalar && integer_zerop(step);
    tree mine = emit_convert(&f->seq, ptr_type_node, from->first);
    if (is_scalar && is_gimple_reg_type(from->element))
        n.scalar = emit_converted(&f->seq, &n, mine);
    emit_level(f, &n, to->extent.size() - 1, emit_convert(&f->seq, ptr_type_node, to->first), mine);
    if (current_loops)
        loops_state_set(LOOPS_NEED_FIXUP);
}

/* --- puts --------------------------------------------------------------------------------------------------------- */

static bool may_be_one_piece(const accessed *o)
{
    return types_compatible_p(o->whole.element, o->from.element) && may_be_packed(&o->whole) && may_be_packed(&o->from);
}

static void emit_piece(branching *f, const accessed *o, const array_section *there)
{
    tree bytes;
    only_if_packed(f, there);
    only_if_packed(f, &o->from);
    packed_like(&f->seq, there, NULL, &bytes);
    tree mine = emit_convert(&f->seq, ptr_type_node, o->from.first);
    gimple_seq_add_stmt(&f->seq, gimple_build_call(builtin_decl_implicit(BUILT_IN_MEMMOVE), 3, there->first, mine,
                                                   emit_convert(&f->seq, size_type_node, bytes)));
}

/* If one array is both sides and not one piece, the call remains. */
static void emit_put_copy(coindexed *a)
{
    const accessed *o = a->by_accessor.get();
    branching f = fork_at(a->call);
    sink_barrier(a);
    tree distance;
    const array_section there = only_if_section_there(&f, a, &distance);
    if (may_be_one_piece(o) && there.extent.size() > 1) {
        branching piece = f;
        emit_flush(&piece);
        piece.slow = f.slow = next_block(&piece);
        f.seq = NULL;
        emit_piece(&piece, o, &there);
        fork_end(&piece);
        f.at = f.slow;
        f.slow = gimple_bb(a->call);
    } else if (may_be_one_piece(o)) {
        emit_piece(&f, o, &there);
        fork_end(&f);
        return;
    }
    only_if(&f, NE_EXPR, distance, word(0));
    emit_nest(&f, &there, &o->from, o->conversion);
    fork_end(&f);
}

void recognise_put_copy(coindexed *a)
{
    a->emit = emit_put_copy;
    a->form = may_be_one_piece(a->by_accessor.get()) ? "made a copy" : "made a loop";
}
