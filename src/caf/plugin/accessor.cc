/* gfortran 15 and 16: _gfortran_caf_send_to_remote and _gfortran_caf_get_from_remote, which are passed the number of an
 * accessor. A getter stores an object's address, a receiver stores a value in the object. The expression that the
 * accessor stores, and its destination, are computed at the call instead (remake.cc). After that, the access is handled
 * like an access of gfortran 12 to 14. */
#include "accessor.h"

/* Both routines have the same arguments, but a get has one more argument before INDEX. */
enum argument_at { TOKEN, DESCRIPTOR, LENGTH, IMAGE, BYTES, VALUE, VALUE_LENGTH, VALUE_DESCRIPTOR, INDEX };
static tree argument(const coindexed *a, int i)
{
    return gimple_call_arg(a->call, (unsigned)(i + (!a->is_put && i >= INDEX)));
}
enum { ADD_DATA = INDEX + 1, ADD_BYTES, STAT, TEAM, TEAM_NUMBER };

/* The order of a get's first parameters differs. */
static tree parameter(const coindexed *a, tree fn, int get_at, int put_at)
{
    tree p = DECL_ARGUMENTS(fn);
    for (int i = a->is_put ? put_at : get_at; i > 0; i--)
        p = DECL_CHAIN(p);
    return p;
}

/* The accessor's store of the address, or of the value, if that is its only effect; or NULL. */
static gimple *action_of(const coindexed *a, tree fn, tree buffer)
{
    enum { WITH_ENTRY_AND_EXIT = 3 };
    function *f = DECL_STRUCT_FUNCTION(fn);
    if (n_basic_blocks_for_fn(f) != WITH_ENTRY_AND_EXIT)
        return NULL;
    gimple *found = NULL;
    basic_block bb = single_succ(ENTRY_BLOCK_PTR_FOR_FN(f));
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *g = gsi_stmt(gsi);
        if (is_gimple_debug(g) || gimple_nop_p(g) || gimple_clobber_p(g) || is_a<greturn *>(g))
            continue;
        if (!is_gimple_assign(g))
            return NULL;
        tree base = gimple_store_p(g) ? get_base_address(gimple_assign_lhs(g)) : NULL;
        tree to = base && TREE_CODE(base) == MEM_REF ? TREE_OPERAND(base, 0) : NULL;
        const bool is_buffer = to && SSA_NAME_IS_DEFAULT_DEF(to) && SSA_NAME_VAR(to) == buffer;
        if (!base || (!a->is_put && !is_buffer)) /* a getter also stores that nothing must be freed */
            continue;
        if (found || !to)
            return NULL;
        found = g;
    }
    return found;
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

static bool is_given(const coindexed *a, int i)
{
    return !integer_zerop(argument(a, i));
}

static bool is_register_type(tree t)
{
    return (INTEGRAL_TYPE_P(t) || SCALAR_FLOAT_TYPE_P(t) || TREE_CODE(t) == COMPLEX_TYPE) && has_value_call(t);
}

/* Sets the accessor's object: the coarray as the call passes it, or this image's own part. */
bool set_object(coindexed *a, remake *r, tree fn)
{
    tree object = parameter(a, fn, 4, 2), descriptor = argument(a, DESCRIPTOR);
    a->by_accessor->base = NULL;
    if (!POINTER_TYPE_P(TREE_TYPE(object)) || is_descriptor(TREE_TYPE(TREE_TYPE(object))) != is_given(a, DESCRIPTOR))
        return false;
    if (is_given(a, DESCRIPTOR)) {
        if (!POINTER_TYPE_P(TREE_TYPE(descriptor)) || !is_descriptor(TREE_TYPE(TREE_TYPE(descriptor))))
            return false;
        a->by_accessor->is_volatile = TYPE_VOLATILE(TREE_TYPE(TREE_TYPE(descriptor))) ||
            (TREE_CODE(descriptor) == ADDR_EXPR && TREE_THIS_VOLATILE(TREE_OPERAND(descriptor, 0)));
        r->parameters.push_back({object, descriptor, COARRAY_DESCRIPTOR});
        return true;
    }
    tree own = own_pointer(a->token, object);
    if (!own && is_foreign(a->token)) { /* it may be volatile */
        a->by_accessor->is_volatile = true;
        own = a->by_accessor->base = emit_base(&r->made, a->token);
        r->parameters.push_back({object, own, COARRAY});
        return true;
    }
    if (!own)
        return false;
    a->by_accessor->is_volatile = TREE_THIS_VOLATILE(own);
    tree pointer = TREE_CODE(own) == SSA_NAME ? own : emit_read(&r->made, own);
    a->by_accessor->base = VAR_P(own) ? pointer : NULL;
    r->parameters.push_back({object, pointer, COARRAY});
    return true;
}

/* Sets the accessor's value and destination; the other side is at `mine`. */
static bool set_operands(coindexed *a, remake *r, tree fn)
{
    tree buffer = parameter(a, fn, 2, 3), mine = argument(a, VALUE);
    gimple *action = action_of(a, fn, buffer);
    if (!action || !POINTER_TYPE_P(TREE_TYPE(mine)))
        return stays_call(a, "its accessor does more than find the object");
    accessed *s = a->by_accessor.get();
    tree to = gimple_assign_lhs(action), what = gimple_assign_rhs1(action);
    s->type = TYPE_MAIN_VARIANT(a->is_put ? TREE_TYPE(to) : TREE_TYPE(TREE_TYPE(TREE_TYPE(buffer))));
    if (!COMPLETE_TYPE_P(s->type) || !tree_fits_uhwi_p(TYPE_SIZE_UNIT(s->type)))
        return stays_call(a, "its size is known only when it runs");
    s->address = a->is_put ? remake_address(r, to) : remake_value(r, what);
    if (a->is_put && s->address && is_register_type(s->type)) {
        r->parameters.push_back({buffer, mine, VALUES});
        s->value = remake_value(r, what);
    }
    if (!s->address || (a->is_put && is_register_type(s->type) && !s->value))
        return stays_call(a, r->why);
    if (s->value && !useless_type_conversion_p(s->type, TREE_TYPE(s->value)))
        return stays_call(a, "its accessor has an unknown conversion");
    s->is_volatile = s->is_volatile || (a->is_put && TREE_THIS_VOLATILE(to));
    if (a->is_put) {
        tree from = TREE_CODE(what) == VIEW_CONVERT_EXPR ? TREE_OPERAND(what, 0) : what;
        s->mine = memory(s->type, mine, 0, char_type_node); /* the program's type may differ */
        const bool is_whole = TREE_CODE(from) == MEM_REF && integer_zerop(TREE_OPERAND(from, 1)) &&
            SSA_NAME_VAR(TREE_OPERAND(from, 0)) == buffer &&
            tree_int_cst_equal(TYPE_SIZE(TREE_TYPE(from)), TYPE_SIZE(s->type));
        return s->value || is_whole || stays_call(a, "its accessor has an unknown conversion");
    }
    tree pointer = TREE_TYPE(TREE_TYPE(mine));
    s->mine = memory(s->type, emit_read(&r->made, memory(pointer, mine, 0, pointer)), 0, s->type);
    return true;
}

static bool set_parameters(coindexed *a, remake *r, tree fn)
{
    if (is_given(a, ADD_DATA))
        r->parameters.push_back({DECL_ARGUMENTS(fn), argument(a, ADD_DATA), VALUES});
    return set_object(a, r, fn);
}

/* --- emission ----------------------------------------------------------------------------------------------------- */

tree emit_place(gimple_seq *seq, const coindexed *a, tree token, tree address)
{
    tree base = a->by_accessor->base;
    return base ? emit(seq, size_type_node, MINUS_EXPR, emit_convert(seq, size_type_node, address),
                       emit_convert(seq, size_type_node, base))
                : emit_offset(seq, token, address);
}

void sink_barrier(coindexed *a)
{
    if (!a->by_accessor->barrier)
        return;
    gimple_stmt_iterator from = gsi_for_stmt(a->by_accessor->barrier), to = gsi_for_stmt(a->call);
    if (a->is_put)
        gsi_move_after(&from, &to);
    else
        gsi_move_before(&from, &to);
}

/* Emits the check that the image is near; returns the reference of its memory. */
static tree only_if_there(branching *f, coindexed *a)
{
    const accessed *o = a->by_accessor.get();
    gimple_seq_add_seq(&f->seq, o->made);
    a->offset = emit_place(&f->seq, a, a->token, o->address);
    tree distance = only_if_near_and_inside(f, a->image, a->token, a->offset);
    tree at = emit_add(&f->seq, emit_convert(&f->seq, build_pointer_type(o->type), o->address), distance);
    tree there = memory(o->type, at, 0, o->type);
    TREE_THIS_VOLATILE(there) = o->is_volatile;
    return there;
}

static void emit_accessor_scalar(coindexed *a)
{
    const accessed *o = a->by_accessor.get();
    branching f = fork_at(a->call);
    if (o->barrier)
        remove_statement(o->barrier);
    accessor_drop_lookup(argument(a, INDEX));
    tree there = only_if_there(&f, a), fast = a->is_put ? NULL : fresh(o->type), slow = NULL;
    gimple_seq_add_stmt(&f.seq, a->is_put ? gimple_build_assign(there, o->value) : gimple_build_assign(fast, there));
    edge from_fast = fork_end(&f);
    gimple_seq seq = NULL;
    if (a->is_put)
        emit_value_put(&seq, a, o->value);
    else
        slow = emit_value_get(&seq, a, o->type);
    gimple_stmt_iterator gsi = gsi_for_stmt(a->call);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    remove_statement(a->call);
    if (a->is_put)
        return;
    tree got = join(&f, fresh(o->type), from_fast, fast, slow);
    gsi = gsi_after_labels(f.join);
    gsi_insert_before(&gsi, gimple_build_assign(o->mine, got), GSI_SAME_STMT);
}

static void emit_move(gimple_seq *seq, tree to, tree from)
{
    if (is_gimple_reg_type(TREE_TYPE(from))) /* for example complex(16) */
        from = emit_read(seq, from);
    gimple_seq_add_stmt(seq, gimple_build_assign(to, from));
}

/* The slow path is the unchanged call. */
static void emit_accessor_copy(coindexed *a)
{
    branching f = fork_at(a->call);
    sink_barrier(a);
    tree there = only_if_there(&f, a), mine = a->by_accessor->mine;
    emit_move(&f.seq, a->is_put ? there : mine, a->is_put ? mine : there);
    fork_end(&f);
}

/* Emits an access behind components: the address is in the other image's memory. */
static void emit_accessor_behind(coindexed *a)
{
    accessed *o = a->by_accessor.get();
    branching f = fork_at(a->call);
    sink_barrier(a);
    walk w = {&f, a->token, NULL, NULL};
    w.distance = only_if_near(&f, a->image, &w.table);
    remake r;
    r.behind = &w;
    set_parameters(a, &r, o->fn);
    for (given &g : r.parameters)
        if (g.kind == COARRAY)
            g.address = emit_add(&r.made, g.address, w.distance);
    set_operands(a, &r, o->fn);
    only_if_in_heaps(&r, o->address);
    gimple_seq_add_seq(&f.seq, r.made);
    tree there = memory(o->type, o->address, 0, o->type), value = is_register_type(o->type) ? fresh(o->type) : NULL;
    if (value) {
        gimple_seq_add_stmt(&f.seq, gimple_build_assign(value, a->is_put ? o->value : there));
        gimple_seq_add_stmt(&f.seq, gimple_build_assign(a->is_put ? there : o->mine, value));
    } else {
        emit_move(&f.seq, a->is_put ? there : o->mine, a->is_put ? o->mine : there);
    }
    fork_end(&f);
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

/* A scalar that is put into an array has no descriptor. */
bool set_sections(coindexed *a, remake *r, walk *behind)
{
    accessed *o = a->by_accessor.get();
    tree buffer = parameter(a, o->fn, 2, 3);
    const bool is_array = is_given(a, VALUE_DESCRIPTOR);
    tree mine = argument(a, is_array ? VALUE_DESCRIPTOR : VALUE);
    o->whole = o->from = array_section();
    o->is_behind = behind;
    r->behind = behind;
    if (!set_parameters(a, r, o->fn))
        return stays_call(a, "the program's own pointer to the coarray is not known");
    for (given &g : r->parameters)
        if (g.kind == COARRAY && behind && behind->f)
            g.address = emit_add(&r->made, g.address, behind->distance);
    if (o->is_volatile)
        return stays_call(a, "a volatile array");
    if (!POINTER_TYPE_P(TREE_TYPE(mine)))
        return stays_call(a, "its descriptor is not known");
    if (a->is_put)
        r->parameters.push_back({buffer, mine, is_array ? LOCAL_DESCRIPTOR : VALUES});
    const bool is_known = a->is_put ? read_put_loops(r, o->fn, buffer, &o->from, &o->whole, &o->conversion)
                                    : read_get_loops(r, o->fn, buffer, DECL_CHAIN(buffer), &o->whole);
    return is_known || stays_call(a, r->why ? r->why : "its accessor does more than copy a section");
}

static bool recognise_array(coindexed *a)
{
    walk only_to_see = {};
    for (walk *behind : {(walk *)NULL, &only_to_see}) {
        remake r;
        const char *why = a->why;
        const bool is_known = set_sections(a, &r, behind);
        if (!is_known || behind)
            remake_drop(&r);
        a->by_accessor->made = r.made;
        if (!is_known) {
            a->why = why ? why : a->why;
            continue;
        }
        tree descriptor = argument(a, VALUE_DESCRIPTOR), may_allocate = gimple_call_arg(a->call, INDEX);
        if (!a->is_put) {
            if (recognise_get_of_array(a, descriptor, argument(a, VALUE), integer_onep(may_allocate)))
                return true;
            remake_drop(&r); /* statements that are not emitted must not count as uses of the function's values */
            return false;
        }
        recognise_put_copy(a);
        if (recognise_put_in_place(a, a->by_accessor->fn, parameter(a, a->by_accessor->fn, 2, 3), descriptor,
                                   argument(a, ADD_DATA)))
            gimple_seq_discard(r.made);
        return true;
    }
    return false;
}

static void begin(coindexed *a, tree fn)
{
    a->by_accessor = std::make_shared<accessed>();
    a->by_accessor->barrier = barrier_of(a->call, a->is_put);
    a->by_accessor->fn = fn;
}

static bool has_loops(tree fn)
{
    enum { WITH_ENTRY_AND_EXIT = 3 };
    return n_basic_blocks_for_fn(DECL_STRUCT_FUNCTION(fn)) > WITH_ENTRY_AND_EXIT;
}

static bool recognise_scalar(coindexed *a, tree fn)
{
    walk only_to_see = {};
    for (walk *behind : {(walk *)NULL, &only_to_see}) {
        remake r;
        const char *why = a->why;
        begin(a, fn);
        a->why = NULL;
        r.behind = behind;
        if (!set_parameters(a, &r, fn))
            stays_call(a, "the program's own pointer to the coarray is not known");
        const bool is_known = !a->why && set_operands(a, &r, fn) && !(behind && a->by_accessor->is_volatile);
        if (!is_known || behind)
            remake_drop(&r);
        a->by_accessor->made = r.made;
        if (!is_known) {
            a->why = why ? why : a->why;
            continue;
        }
        const bool is_register = is_register_type(a->by_accessor->type);
        a->form = behind ? "of a component made a load or store" : is_register ? "made a load or store" : "made a copy";
        a->emit = behind ? emit_accessor_behind : is_register ? emit_accessor_scalar : emit_accessor_copy;
        return true;
    }
    return false;
}

bool recognise_accessor(coindexed *a)
{
    if (gimple_call_num_args(a->call) != (a->is_put ? 14 : 15))
        return stays_call(a, "a call of another form");
    if (is_given(a, STAT))
        return stays_call(a, "stat= is given");
    if (is_given(a, TEAM) || is_given(a, TEAM_NUMBER))
        return stays_call(a, "a team is given");
    if (is_given(a, LENGTH) || is_given(a, VALUE_LENGTH))
        return stays_call(a, "a character");
    a->token = argument(a, TOKEN);
    a->image = argument(a, IMAGE);
    tree fn = accessor_of(argument(a, INDEX));
    if (!fn)
        return stays_call(a, "its accessor is not known");
    const bool is_scalar = !is_given(a, VALUE_DESCRIPTOR);
    if (is_scalar && recognise_scalar(a, fn))
        return true;
    if (is_scalar && !(a->is_put && has_loops(fn)))
        return false;
    begin(a, fn);
    a->why = NULL;
    return recognise_array(a);
}
