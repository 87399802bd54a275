/* The arguments of a call: local variables that gfortran fills by stores before the call.
 *
 * The stores are found by going back from the call along the function's virtual operands, also through other blocks
 * (bounds checks, conditional expressions), but not through a join of paths with different stores. Virtual operands
 * are as they were when the function's first access was examined: nothing is changed before all accesses are
 * recognised. */
#include "plugin.h"

#include <algorithm>

/* --- statements by variable --------------------------------------------------------------------------------------- */

static std::unordered_map<unsigned, std::vector<gimple *>> mentioned; /* by DECL_UID */

static tree local_variable(tree t)
{
    t = t ? get_base_address(t) : NULL;
    return t && VAR_P(t) && !is_global_var(t) ? t : NULL;
}

static bool note_mention(gimple *g, tree base, tree, void *)
{
    if (tree variable = local_variable(base)) {
        std::vector<gimple *> &all = mentioned[DECL_UID(variable)];
        if (all.empty() || all.back() != g)
            all.push_back(g);
    }
    return false;
}

void arguments_begin(function *fun)
{
    mentioned.clear();
    calculate_dominance_info(CDI_DOMINATORS);
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun) {
        for (gphi_iterator gsi = gsi_start_phis(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            walk_stmt_load_store_addr_ops(gsi.phi(), NULL, note_mention, note_mention, note_mention);
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (!is_gimple_debug(gsi_stmt(gsi)))
                walk_stmt_load_store_addr_ops(gsi_stmt(gsi), NULL, note_mention, note_mention, note_mention);
    }
}

/* --- the stores before a call ------------------------------------------------------------------------------------- */

/* Whether ref is in the variable; if so, the byte at which it begins. */
static bool refers_to(tree ref, tree variable, HOST_WIDE_INT *byte, HOST_WIDE_INT *bytes)
{
    if (!ref || !(handled_component_p(ref) || DECL_P(ref) || TREE_CODE(ref) == MEM_REF) ||
        get_base_address(ref) != variable)
        return false;
    poly_int64 offset, size, max;
    bool is_reverse;
    get_ref_base_and_extent(ref, &offset, &size, &max, &is_reverse);
    HOST_WIDE_INT o, s;
    if (!offset.is_constant(&o) || !size.is_constant(&s) || o < 0 || o % 8 != 0 || s % 8 != 0)
        o = s = -8;
    *byte = o / 8;
    *bytes = s / 8;
    return true;
}

/* Whether ref is reached through the pointer. */
static bool refers_through(tree ref, tree pointer, HOST_WIDE_INT *byte, HOST_WIDE_INT *bytes)
{
    tree base = handled_component_p(ref) || TREE_CODE(ref) == MEM_REF ? get_base_address(ref) : NULL;
    if (!base || TREE_CODE(base) != MEM_REF || TREE_OPERAND(base, 0) != pointer || !refers_to(ref, base, byte, bytes))
        return false;
    *byte += *byte < 0 ? 0 : tree_to_shwi(TREE_OPERAND(base, 1));
    return true;
}

static bool is_empty(tree rhs)
{
    return TREE_CODE(rhs) == CONSTRUCTOR && CONSTRUCTOR_NELTS(rhs) == 0;
}

/* A store into the argument: recorded in *field, unless a store nearer to the call is recorded already. False: the
 * stores give two values. */
static bool note_value(tree *field, tree value)
{
    if (*field)
        return operand_equal_p(*field, value, 0);
    *field = value;
    return true;
}

/* The memory as it is at the end of the block's immediate dominator. */
static tree memory_before(basic_block bb)
{
    while ((bb = get_immediate_dominator(CDI_DOMINATORS, bb))) {
        for (gimple_stmt_iterator gsi = gsi_last_bb(bb); !gsi_end_p(gsi); gsi_prev(&gsi))
            if (gimple_vdef(gsi_stmt(gsi)))
                return gimple_vdef(gsi_stmt(gsi));
        for (gphi_iterator gsi = gsi_start_phis(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (virtual_operand_p(gimple_phi_result(gsi.phi())))
                return gimple_phi_result(gsi.phi());
    }
    return NULL;
}

/* Whether every other change of the variable is in a block that dominates bb and precedes its immediate dominator,
 * so that none is between the immediate dominator and bb. */
static bool are_before(const std::vector<gimple *> &all, const std::vector<gimple *> &found, gimple *call,
                       basic_block bb)
{
    for (gimple *g : all) {
        if (g == call || gimple_clobber_p(g) || gimple_assign_load_p(g) ||
            std::find(found.begin(), found.end(), g) != found.end())
            continue;
        if (gimple_bb(g) == bb || !dominated_by_p(CDI_DOMINATORS, bb, gimple_bb(g)))
            return false;
    }
    return true;
}

/* Whether the statement keeps the variable's address, like the address of a variable that a parallel region shares. */
static bool keeps(gimple *g, tree variable)
{
    HOST_WIDE_INT byte, bytes;
    return gimple_code(g) == GIMPLE_PHI ||
        (is_gimple_assign(g) && !gimple_clobber_p(g) && !gimple_assign_load_p(g) &&
         !refers_to(gimple_assign_lhs(g), variable, &byte, &bytes));
}

/* field(a, byte, bytes): the slot for the value of these bytes; NULL: none. zero(a, byte, bytes) records that they are
 * cleared, unless another value is recorded. argument_drop and argument_sink forward the loads between the stores and
 * the call. is_chained: another of these variables holds the address, and no call changes the memory. */
template <typename A>
static bool read_stores(A *a, gimple *call, tree address, tree *(*field)(A *, HOST_WIDE_INT, HOST_WIDE_INT),
                        bool (*clear)(A *, HOST_WIDE_INT, HOST_WIDE_INT), bool is_chained)
{
    if (TREE_CODE(address) != ADDR_EXPR || !local_variable(TREE_OPERAND(address, 0)) ||
        !VAR_P(TREE_OPERAND(address, 0)))
        return false;
    a->variable = TREE_OPERAND(address, 0);
    const std::vector<gimple *> &all = mentioned[DECL_UID(a->variable)];
    std::vector<gimple *> loads;
    std::unordered_map<tree, size_t> passed; /* by virtual operand: how many of the stores come later */
    size_t others = 0;
    bool is_open = false; /* any call may change the variable */
    for (gimple *g : all) {
        is_open |= !is_chained && keeps(g, a->variable); /* MUTANT descriptors that others know */
        if (gimple_assign_load_p(g))
            loads.push_back(g);
        others += g == call || gimple_clobber_p(g);
    }
    tree memory = gimple_vuse(call);
    while (others + loads.size() + a->stores.size() < all.size()) {
        gimple *g = SSA_NAME_DEF_STMT(memory);
        passed[memory] = a->stores.size();
        if (gimple_code(g) == GIMPLE_PHI) {
            memory = are_before(all, a->stores, call, gimple_bb(g)) ? memory_before(gimple_bb(g)) : NULL;
            if (memory)
                continue;
        }
        if (gimple_code(g) == GIMPLE_PHI || gimple_nop_p(g))
            break;
        memory = gimple_vuse(g);
        HOST_WIDE_INT byte, bytes;
        if (gimple_clobber_p(g)) {
            if (gimple_assign_lhs(g) == a->variable)
                break;
        } else if (is_gimple_assign(g) && refers_to(gimple_assign_lhs(g), a->variable, &byte, &bytes)) {
            tree value = gimple_assign_rhs1(g);
            if (!gimple_assign_single_p(g) || byte < 0)
                return false;
            tree *to = field(a, byte, bytes);
            if (is_empty(value) ? !clear(a, byte, bytes) : !is_gimple_val(value) || (to && !note_value(to, value)))
                return false;
            a->stores.push_back(g);
        } else if (!is_gimple_assign(g) && !is_barrier(g) &&
                   (is_open || std::find(all.begin(), all.end(), g) != all.end())) {
            break; /* another call that has its address */
        }
    }
    for (gimple *load : loads) {
        const auto at = passed.find(gimple_vuse(load));
        HOST_WIDE_INT byte, bytes, stored, stored_bytes;
        if (at == passed.end() || !refers_to(gimple_assign_rhs1(load), a->variable, &byte, &bytes))
            continue;
        for (size_t i = at->second; i < a->stores.size(); i++) {
            refers_to(gimple_assign_lhs(a->stores[i]), a->variable, &stored, &stored_bytes);
            tree *value = stored == byte && stored_bytes == bytes ? field(a, byte, bytes) : NULL;
            if (value && *value) {
                a->loads.push_back(load);
                break;
            }
        }
    }
    a->is_private = others + a->loads.size() + a->stores.size() == all.size();
    return !a->stores.empty();
}

template <typename A>
static void forward_loads(A *a, tree *(*field)(A *, HOST_WIDE_INT, HOST_WIDE_INT))
{
    for (gimple *load : a->loads) {
        HOST_WIDE_INT byte, bytes;
        refers_to(gimple_assign_rhs1(load), a->variable, &byte, &bytes);
        tree value = *field(a, byte, bytes), type = TREE_TYPE(gimple_assign_lhs(load));
        gimple_stmt_iterator gsi = gsi_for_stmt(load);
        if (TREE_CODE(value) == INTEGER_CST)
            value = fold_convert(type, value);
        if (useless_type_conversion_p(type, TREE_TYPE(value)))
            gimple_assign_set_rhs_from_tree(&gsi, value);
        else
            gimple_assign_set_rhs_with_ops(&gsi, NOP_EXPR, value);
        update_stmt(gsi_stmt(gsi));
    }
    a->loads.clear();
}

void remove_statement(gimple *g)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(g);
    unlink_stmt_vdef(g);
    gsi_remove(&gsi, true);
    release_defs(g);
}

void argument_drop(argument *a)
{
    if (a->is_private)
        for (gimple *g : a->stores)
            remove_statement(g);
}

struct extent {
    HOST_WIDE_INT byte, bytes;
};

static bool is_within(extent a, extent b)
{
    /* MUTANT what later stores overwrite: return b.byte <= a.byte; */
    return b.byte <= a.byte && a.byte + a.bytes <= b.byte + b.bytes;
}

/* gfortran stores the type of a descriptor twice: stores that a later one overwrites are removed. */
void argument_sink(argument *a, gimple *call)
{
    if (!a->is_private || !a->loads.empty())
        return;
    std::vector<extent> later;
    gimple *next = call;
    for (gimple *store : a->stores) {
        extent e;
        refers_to(gimple_assign_lhs(store), a->variable, &e.byte, &e.bytes);
        if (std::any_of(later.begin(), later.end(), [e](extent l) { return is_within(e, l); })) {
            remove_statement(store);
            continue;
        }
        later.push_back(e);
        gimple_stmt_iterator from = gsi_for_stmt(store), to = gsi_for_stmt(next);
        gsi_move_before(&from, &to);
        next = store;
    }
}

const char *called_by(gimple *g)
{
    tree fn = is_gimple_call(g) ? gimple_call_fndecl(g) : NULL;
    return fn && DECL_NAME(fn) ? IDENTIFIER_POINTER(DECL_NAME(fn)) : "";
}

bool is_barrier(gimple *g)
{
    const gasm *a = dyn_cast<gasm *>(g);
    return a && gimple_asm_volatile_p(a) && !*gimple_asm_string(a) && gimple_asm_ninputs(a) == 0 &&
           gimple_asm_noutputs(a) == 0 && gimple_asm_nclobbers(a) == 1;
}

/* --- descriptors -------------------------------------------------------------------------------------------------- */

static tree *descriptor_field(descriptor *d, HOST_WIDE_INT byte, HOST_WIDE_INT bytes)
{
    if (byte == D_RANK || byte == D_TYPE)
        return bytes == 1 ? byte == D_RANK ? &d->rank : &d->type : NULL;
    if (bytes != 8)
        return NULL;
    if (byte == D_DATA || byte == D_ELEM_LEN || byte == D_SPAN)
        return byte == D_DATA ? &d->data : byte == D_SPAN ? &d->span : &d->elem_len;
    const HOST_WIDE_INT word = (byte - D_DIM) / 8;
    return byte >= D_DIM && byte % 8 == 0 && word < MOST_RANK * 3 ? &d->dim[word / 3][word % 3] : NULL;
}

static bool descriptor_clear(descriptor *d, HOST_WIDE_INT byte, HOST_WIDE_INT bytes)
{
    if (byte != D_ELEM_LEN || bytes != D_SPAN - D_ELEM_LEN)
        return false;
    for (tree *field : {&d->elem_len, &d->rank, &d->type})
        *field = *field ? *field : integer_zero_node;
    return true;
}

/* The contents of a descriptor that is not in a variable of its own, from the nearest stores: gfortran sets the type
 * of a whole array's descriptor before the call. */
static void read_nearby(descriptor *d, gimple *call, tree base)
{
    tree memory = gimple_vuse(call);
    for (gimple *g = SSA_NAME_DEF_STMT(memory); is_gimple_assign(g) || is_barrier(g); g = SSA_NAME_DEF_STMT(memory)) {
        memory = gimple_vuse(g);
        HOST_WIDE_INT byte, bytes;
        if (is_barrier(g))
            continue;
        tree to = gimple_assign_lhs(g);
        if (!(TREE_CODE(base) == SSA_NAME ? refers_through : refers_to)(to, base, &byte, &bytes))
            continue;
        tree value = gimple_assign_rhs1(g), *field = descriptor_field(d, byte, bytes);
        if (is_empty(value))
            descriptor_clear(d, byte, bytes);
        else if (field && (field == &d->rank || field == &d->type || field == &d->elem_len) && !*field)
            *field = value;
    }
}

bool read_descriptor(descriptor *d, gimple *call, tree address)
{
    d->address = address;
    if (read_stores(d, call, address, descriptor_field, descriptor_clear, false) && d->data && d->elem_len && d->rank &&
        d->type)
        return true;
    if (d->is_private)
        return false;
    *d = descriptor();
    d->address = address;
    if (TREE_CODE(address) == SSA_NAME)
        read_nearby(d, call, address);
    else if (TREE_CODE(address) == ADDR_EXPR && DECL_P(TREE_OPERAND(address, 0)))
        read_nearby(d, call, TREE_OPERAND(address, 0));
    else
        return false;
    return true;
}

void forward_descriptor(descriptor *d)
{
    forward_loads(d, descriptor_field);
}

/* --- references --------------------------------------------------------------------------------------------------- */

enum reference_offset {
    R_NEXT = 0, R_TYPE = 8, R_ITEM_SIZE = 16, R_OFFSET = 24, R_TOKEN_OFFSET = 32, R_MODE = 24, R_ARRAY_TYPE = 40,
    R_DIM = 48, R_DIM_SIZE = 24,
};

static tree *reference_field(reference *r, HOST_WIDE_INT byte, HOST_WIDE_INT bytes)
{
    if (bytes == 1)
        return byte >= R_MODE && byte <= R_MODE + MOST_RANK ? &r->mode[byte - R_MODE] : NULL;
    if (byte == R_TYPE)
        return bytes == 4 ? &r->type : NULL;
    if (bytes != 8)
        return NULL;
    switch (byte) {
    case R_NEXT: return &r->next;
    case R_ITEM_SIZE: return &r->item_size;
    case R_OFFSET: return &r->offset;
    case R_TOKEN_OFFSET: return &r->token_offset;
    }
    const HOST_WIDE_INT word = (byte - R_DIM) / 8;
    if (byte < R_DIM || byte % 8 != 0 || word >= MOST_RANK * 3)
        return NULL;
    return word % 3 == 0 ? &r->start[word / 3] : word % 3 == 1 ? &r->end[word / 3] : &r->step[word / 3];
}

static bool reference_clear(reference *, HOST_WIDE_INT, HOST_WIDE_INT)
{
    return false;
}

bool read_reference(reference *r, gimple *call, tree address)
{
    return read_stores(r, call, address, reference_field, reference_clear, true) && r->type &&
           TREE_CODE(r->type) == INTEGER_CST && r->next && r->item_size;
}

/* --- gfortran's barriers ------------------------------------------------------------------------------------------ */

gimple *barrier_of(gimple *call, bool is_put)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    if (is_put) {
        gsi_next_nondebug(&gsi);
        return !gsi_end_p(gsi) && is_barrier(gsi_stmt(gsi)) ? gsi_stmt(gsi) : NULL;
    }
    for (gsi_prev_nondebug(&gsi); !gsi_end_p(gsi); gsi_prev_nondebug(&gsi)) { /* skips the arguments' computation */
        gimple *g = gsi_stmt(gsi);
        if (is_barrier(g))
            return g;
        if (is_gimple_call(g) && gimple_vdef(g))
            return NULL;
    }
    return NULL;
}
