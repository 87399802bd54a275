/* Sections: contiguous ones are copied in one piece, or by a loop that converts. Whether they are contiguous is
 * known from constants, or checked at run time; the library handles the others. */
#include "plugin.h"

#include <tuple>

static tree word_type()
{
    return long_integer_type_node;
}

tree emit_count(gimple_seq *seq, tree first, tree last)
{
    tree n = emit_op(seq, MINUS_EXPR, last, first);
    n = emit_op(seq, PLUS_EXPR, n, build_one_cst(word_type()));
    return emit_op(seq, MAX_EXPR, n, build_zero_cst(word_type()));
}

static tree known_or_loaded(gimple_seq *seq, const descriptor *d, tree known, HOST_WIDE_INT offset)
{
    return known ? emit_convert(seq, word_type(), known) : emit_load_index(seq, d->address, offset);
}

shape emit_shape(gimple_seq *seq, const descriptor *d, const element *e, int rank)
{
    shape s;
    tree data = d->data ? d->data : emit_read(seq, memory(ptr_type_node, d->address, D_DATA, ptr_type_node));
    s.at = emit_convert(seq, ptr_type_node, data);
    s.size = known_or_loaded(seq, d, e->size, D_ELEM_LEN);
    tree span = rank ? known_or_loaded(seq, d, d->span, D_SPAN) : NULL;
    for (int i = 0; i < rank; i++) {
        tree word[3];
        for (int j : {STRIDE, LOWER, UPPER})
            word[j] = known_or_loaded(seq, d, d->dim[i][j], D_DIM + i * D_DIM_SIZE + j * 8);
        s.count.push_back(emit_count(seq, word[LOWER], word[UPPER]));
        s.step.push_back(emit_op(seq, MULT_EXPR, word[STRIDE], span));
    }
    return s;
}

static void only_if_equal(branching *f, tree a, tree b)
{
    if (!operand_equal_p(a, b, 0))
        only_if_too(f, EQ_EXPR, a, b);
}

/* The bytes of the section, if it is contiguous and inside its coarray. */
static tree only_if_contiguous(branching *f, const shape *s, tree table)
{
    tree bytes = s->size;
    for (size_t i = 0; i < s->count.size(); i++) {
        only_if_equal(f, s->step[i], bytes); /* MUTANT sections in one piece */
        bytes = emit_op(&f->seq, MULT_EXPR, s->count[i], bytes);
    }
    if (s->token)
        only_if_inside(f, s->token, s->offset, bytes, table);
    return bytes;
}

/* --- how ---------------------------------------------------------------------------------------------------------- */

static int constant(tree t)
{
    return t && tree_fits_shwi_p(t) ? (int)tree_to_shwi(t) : -1;
}

static bool is_constant(tree t)
{
    return t && TREE_CODE(t) == INTEGER_CST;
}

/* Whether the constants of a descriptor tell that the section is not contiguous. */
static bool has_gaps(const descriptor *d, const element *e, int rank)
{
    gimple_seq none = NULL;
    tree bytes = e->size;
    for (int i = 0; i < rank; i++) {
        const tree *dim = d->dim[i];
        if (!is_constant(bytes) || !is_constant(d->span) || !is_constant(dim[STRIDE]))
            return false;
        if (!operand_equal_p(emit_op(&none, MULT_EXPR, dim[STRIDE], d->span), fold_convert(word_type(), bytes), 0))
            return true;
        bytes = is_constant(dim[LOWER]) && is_constant(dim[UPPER])
                ? emit_op(&none, MULT_EXPR, emit_count(&none, dim[LOWER], dim[UPPER]), bytes) : NULL;
    }
    return false;
}

static bool are_constant(const coindexed *a)
{
    return constant(a->of_there.size) >= 0 && constant(a->of_here.size) >= 0;
}

/* Whether unknown parts of the descriptor can be loaded from it at run time. */
static bool is_readable(const descriptor *d, int rank)
{
    bool is_known = d->data && d->elem_len && d->rank && d->type && (rank == 0 || d->span);
    for (int i = 0; i < rank; i++)
        is_known = is_known && d->dim[i][STRIDE] && d->dim[i][LOWER] && d->dim[i][UPPER];
    return is_known || (!d->is_private && rank > 0);
}

/* The elements of a side. If its descriptor is in memory, the type's number is the number of the other side's type, and
 * the rest is unknown. */
static const char *read_element(element *e, const descriptor *d, const descriptor *other, tree data)
{
    const int number = constant(d->type);
    if (number >= 0 && d->elem_len)
        return element_of(e, number, d->elem_len, data);
    e->number = constant(other->type);
    return e->number >= 0 ? NULL : "its type is not known";
}

/* gfortran frees the temporary of a get into a vector subscript before it reads the result from it. The library can
 * handle this. */
static bool is_freed_at_once(const coindexed *a)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(a->call);
    for (gsi_next(&gsi); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
        if (!call || !gimple_vdef(call))
            continue;
        tree freed = gimple_call_num_args(call) ? gimple_call_arg(call, 0) : NULL;
        if (!freed || !strstr(called_by(call), "free"))
            return false;
        gimple *load = TREE_CODE(freed) == SSA_NAME ? SSA_NAME_DEF_STMT(freed) : NULL;
        return freed == a->here.data || (load && gimple_assign_load_p(load) &&
                                         get_base_address(gimple_assign_rhs1(load)) == a->here.variable);
    }
    return false;
}

static const char *choose(coindexed *a)
{
    const element *there = &a->of_there, *here = &a->of_here;
    const bool is_same = there->number == here->number, have_types = there->type && here->type;
    const bool is_longer = are_constant(a) && !tree_int_cst_equal(there->size, here->size);
    const bool is_scalar = a->there_rank == 0 && a->here_rank == 0;
    if (!(is_same || (is_number(there->number) && is_number(here->number))))
        return "the types differ";
    if (is_character(there->number) && is_longer)
        return "characters of unequal length";
    /* MUTANT kinds of one size */
    if (is_same && !a->is_same_kind && !is_longer)
        return "kinds of one size";
    if (a->there_rank != a->here_rank && !(a->is_put && a->here_rank == 0))
        return "the ranks differ";
    if (is_scalar && have_types)
        a->how = SCALAR;
    else if (a->there_rank == a->here_rank && is_same && !is_longer)
        a->how = COPY;
    else if (have_types)
        a->how = LOOP;
    else
        return "a conversion of a type, or a value of a size, for which there is no register";
    return NULL;
}

const char *choose_way(coindexed *a)
{
    static const char *const forms[] = {"made a load or store", "made a copy", "made a loop"};
    a->there_rank = constant(a->there.rank);
    a->here_rank = constant(a->here.rank);
    a->there_rank = a->there_rank < 0 ? a->here_rank : a->there_rank;
    a->here_rank = a->here_rank < 0 ? a->there_rank : a->here_rank;
    if (a->there_rank < 0 || a->there_rank > MOST_RANK || a->here_rank > MOST_RANK)
        return "its rank is not known";
    tree there_data = a->references.empty() ? a->there.data : a->here.data; /* here's type, if it has there's size */
    const char *why = read_element(&a->of_here, &a->here, &a->there, a->here.data);
    why = why ? why : read_element(&a->of_there, &a->there, &a->here, there_data);
    why = why ? why : choose(a);
    if (why)
        return why;
    if (!is_readable(&a->here, a->here_rank) || (a->references.empty() && !is_readable(&a->there, a->there_rank)))
        return "its descriptor is not known";
    if (a->there.data && TREE_CODE(a->there.data) == ADDR_EXPR &&
        VAR_P(get_base_address(TREE_OPERAND(a->there.data, 0)))) /* a scalar complex coarray */
        return "gfortran has made a copy of the coarray, and passes the copy";
    /* MUTANT what is freed at once */
    if (!a->is_put && a->how != SCALAR && is_freed_at_once(a))
        return "a left-hand side with a vector subscript";
    if (a->here.data && integer_zerop(a->here.data))
        return "the library allocates the temporary";
    for (const descriptor *d : {&a->there, &a->here})
        if (a->how != SCALAR && d->data && is_volatile(d->data))
            return "a VOLATILE object that is no scalar number";
    if (has_gaps(&a->here, &a->of_here, a->here_rank) ||
        (a->references.empty() && has_gaps(&a->there, &a->of_there, a->there_rank)))
        return "strides, so that the section is not contiguous";
    a->form = forms[a->how];
    return NULL;
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

/* Copies from these sizes on are left to the library (src/caf/access/bytes.c). */
enum { LARGE_PUT = 4096, LARGE_GET = 1 << 20 };

static void emit_copy(branching *f, coindexed *a, const shape *there, const shape *here, tree table)
{
    tree bytes = only_if_contiguous(f, there, table), mine = only_if_contiguous(f, here, table);
    only_if_equal(f, there->size, here->size);
    /* MUTANT allocatable left-hand sides */
    for (size_t i = 0; a->may_allocate && i < here->count.size(); i++)
        only_if_equal(f, there->count[i], here->count[i]);
    if (!a->may_allocate)
        only_if_equal(f, bytes, mine);
    bytes = emit_convert(&f->seq, size_type_node, bytes);
    if (TREE_CODE(bytes) != INTEGER_CST)
        only_if_too(f, LT_EXPR, bytes, size_int(a->is_put ? LARGE_PUT : LARGE_GET));
    only_if_pending(f);
    gimple_seq_add_stmt(&f->seq, gimple_build_call(builtin_decl_implicit(BUILT_IN_MEMMOVE), 3,
                                                   a->is_put ? there->at : here->at, a->is_put ? here->at : there->at,
                                                   bytes));
}

static tree element_in(branching *f, const element *e, tree at, tree index)
{
    return element_at(e, emit_add(&f->seq, at, emit_op(&f->seq, MULT_EXPR, index, e->size)));
}

/* for (i = 0; i < n; i++) to[i] = from[i], or = the scalar. */
static void emit_loop(branching *f, coindexed *a, const shape *there, const shape *here, tree table)
{
    const element *to = a->is_put ? &a->of_there : &a->of_here, *from = a->is_put ? &a->of_here : &a->of_there;
    const shape *into = a->is_put ? there : here, *out_of = a->is_put ? here : there;
    tree bytes = only_if_contiguous(f, there, table), mine = only_if_contiguous(f, here, table), value = NULL;
    tree n = emit_op(&f->seq, EXACT_DIV_EXPR, bytes, a->of_there.size);
    if (here->count.empty()) {
        only_if_pending(f);
        value = emit_conversion(&f->seq, to->type, emit_read(&f->seq, element_at(from, out_of->at)));
    } else {
        only_if_equal(f, n, emit_op(&f->seq, EXACT_DIV_EXPR, mine, a->of_here.size));
    }
    only_if(f, GT_EXPR, n, build_zero_cst(word_type()));

    basic_block before = f->at, body = next_block(f);
    emit_flush(f);
    make_single_succ_edge(before, body, EDGE_FALLTHRU)->probability = profile_probability::always();
    f->at = body;
    tree index = fresh(word_type());
    gphi *phi = create_phi_node(index, body);
    if (!here->count.empty())
        value = emit_conversion(&f->seq, to->type, emit_read(&f->seq, element_in(f, from, out_of->at, index)));
    gimple_seq_add_stmt(&f->seq, gimple_build_assign(element_in(f, to, into->at, index), value));
    tree next = emit_op(&f->seq, PLUS_EXPR, index, build_one_cst(word_type()));
    gimple_seq_add_stmt(&f->seq, gimple_build_cond(LT_EXPR, next, n, NULL, NULL));
    basic_block after = next_block(f);
    emit_flush(f);
    edge again = make_edge(body, body, EDGE_TRUE_VALUE), out = make_edge(body, after, EDGE_FALSE_VALUE);
    again->probability = profile_probability::likely();
    out->probability = profile_probability::unlikely();
    add_phi_arg(phi, build_zero_cst(word_type()), find_edge(before, body), UNKNOWN_LOCATION);
    add_phi_arg(phi, next, again, UNKNOWN_LOCATION);
    if (current_loops)
        loops_state_set(LOOPS_NEED_FIXUP);
    f->at = after;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static bool goes_by_value(const coindexed *a)
{
    return a->how == SCALAR && !a->from_image && has_value_call(a->of_there.type) && !may_be_substring(a) &&
           (a->references.empty() || has_value_walk(a));
}

/* The call's preparation moves to the slow path, or is removed with the call. */
static void clear_way(coindexed *a)
{
    const bool is_call_needed = !goes_by_value(a);
    for (descriptor *d : {&a->there, &a->here}) {
        forward_descriptor(d);
        is_call_needed ? argument_sink(d, a->call) : argument_drop(d);
    }
    for (reference &r : a->references)
        is_call_needed ? argument_sink(&r, a->call) : argument_drop(&r);
    gimple_stmt_iterator call = gsi_for_stmt(a->call);
    for (gimple *barrier : {a->barrier_before, a->barrier}) {
        if (!barrier)
            continue;
        gimple_stmt_iterator from = gsi_for_stmt(barrier);
        if (!is_call_needed)
            remove_statement(barrier);
        else if (a->is_put && barrier == a->barrier)
            gsi_move_after(&from, &call);
        else
            gsi_move_before(&from, &call);
    }
}

void only_if_alike(branching *f, const descriptor *d, const element *e, int rank)
{
    for (auto [known, offset, is] : {std::tuple{d->rank, D_RANK, rank}, std::tuple{d->type, D_TYPE, (int)e->number}}) {
        if (known)
            continue;
        tree pointer = build_pointer_type_for_mode(signed_char_type_node, VOIDmode, true);
        tree ref = build2(MEM_REF, signed_char_type_node, d->address, build_int_cst(pointer, offset));
        only_if_too(f, EQ_EXPR, emit_read(&f->seq, ref), build_int_cst(signed_char_type_node, is));
    }
}

/* A dummy argument may be longer than the actual characters; objects of other types are completely inside or
 * outside. */
static tree only_of_characters(const element *e)
{
    /* MUTANT all of a character is inside: return NULL; */
    return is_character(e->number) ? e->size : NULL;
}

/* Returns the value that is moved. */
static tree emit_scalar(branching *f, coindexed *a, const shape *there, tree here, tree value, tree table)
{
    if (there->token)
        only_if_inside(f, there->token, there->offset, only_of_characters(&a->of_there), table);
    only_if_pending(f);
    tree there_ref = element_at(&a->of_there, there->at);
    /* gfortran does not pass on whether the components of a coarray are VOLATILE. */
    TREE_THIS_VOLATILE(there_ref) = !a->references.empty() || is_volatile(a->there.data); /* MUTANT volatile */
    if (a->is_put) {
        value = value ? value : emit_conversion(&f->seq, a->of_there.type, emit_read(&f->seq, here));
        gimple_seq_add_stmt(&f->seq, gimple_build_assign(there_ref, value));
        return value;
    }
    value = emit_read(&f->seq, there_ref);
    if (!goes_by_value(a)) {
        value = emit_conversion(&f->seq, a->of_here.type, value);
        gimple_seq_add_stmt(&f->seq, gimple_build_assign(here, value));
    }
    return value;
}

static tree scalar_here(const coindexed *a, tree at)
{
    tree ref = element_at(&a->of_here, at);
    TREE_THIS_VOLATILE(ref) = is_volatile(a->here.data);
    return ref;
}

/* Replaces the call; the values of a get's two paths are joined after it. */
static void emit_slow_value(branching *f, coindexed *a, edge from_fast, tree here, tree value)
{
    gimple_seq seq = NULL;
    tree slow_value = NULL;
    const bool is_walk = !a->references.empty();
    if (a->is_put)
        (is_walk ? emit_value_walk : emit_value_put)(&seq, a, value);
    else
        slow_value = is_walk ? emit_value_of_walk(&seq, a) : emit_value_get(&seq, a, a->of_there.type);
    gimple_stmt_iterator gsi = gsi_for_stmt(a->call);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    remove_statement(a->call);
    if (a->is_put)
        return;
    tree got = join(f, fresh(a->of_there.type), from_fast, value, slow_value);
    seq = NULL;
    gimple_seq_add_stmt(&seq, gimple_build_assign(here, emit_conversion(&seq, a->of_here.type, got)));
    gsi = gsi_after_labels(f->join);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
}

void emit_assignment(coindexed *a)
{
    branching f = fork_at(a->call);
    clear_way(a);
    tree here_ref = NULL, value = NULL, table = NULL;
    if (a->how == SCALAR && !a->from_image) {
        here_ref = scalar_here(a, a->here.data);
        if (a->is_put)
            value = emit_conversion(&f.seq, a->of_there.type, emit_read(&f.seq, here_ref));
    }
    const bool is_simple = a->how == SCALAR && a->references.empty() && !a->from_image &&
        !is_character(a->of_there.number);
    tree distance = is_simple ? only_if_near_and_inside(&f, a->image, a->token, a->offset)
                              : only_if_near_too(&f, a->image, &table);
    tree from = a->from_image ? only_if_near(&f, a->from_image, &table) : NULL;
    shape there = a->references.empty() ? emit_there(&f, a, table, distance) : emit_walk(&f, a, table, distance);
    if (is_simple)
        there.token = NULL; /* the bounds are checked already */
    shape here;
    if (a->from_image || a->how != SCALAR) {
        only_if_alike(&f, &a->here, &a->of_here, a->here_rank);
        here = emit_shape(&f.seq, &a->here, &a->of_here, a->here_rank);
    }
    tree mine = a->how == SCALAR ? a->here.data : here.at;
    if (!a->is_put && !a->references.empty() && !goes_by_value(a) && TREE_CODE(mine) != ADDR_EXPR)
        only_if(&f, GT_EXPR, emit_convert(&f.seq, size_type_node, mine), size_int(CAF_HIDDEN_ADDRESS)); /* allocated */
    if (a->from_image) {
        here.at = emit_add(&f.seq, here.at, from);
        here.token = a->from_token;
        here.offset = a->from_offset;
    }
    if (a->how == SCALAR && a->from_image) {
        only_if_inside(&f, here.token, here.offset, only_of_characters(&a->of_here), table);
        here_ref = scalar_here(a, here.at);
    }
    if (a->how == SCALAR)
        value = emit_scalar(&f, a, &there, here_ref, value, table);
    else
        (a->how == COPY ? emit_copy : emit_loop)(&f, a, &there, &here, table);
    edge from_fast = fork_end(&f);
    if (goes_by_value(a))
        emit_slow_value(&f, a, from_fast, unshare_expr(here_ref), value);
}
