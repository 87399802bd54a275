/* gfortran 15 and 16: puts of arrays.
 *
 * The accessor copies a contiguous array of the program's, or a temporary, into the section: where that is contiguous
 * too, and the image is near, this is a copy here. */
#include "accessor.h"

/* Each dimension follows the one before without a gap. */
void only_if_packed(branching *f, const array_section *s)
{
    gimple_seq *seq = &f->seq;
    tree packed = emit_convert(seq, long_integer_type_node, TYPE_SIZE_UNIT(s->element));
    for (size_t i = 0; i < s->extent.size(); i++) {
        if (i > 0)
            only_if(f, EQ_EXPR, s->step[i], packed);
        packed = emit_op(seq, MULT_EXPR, packed, s->extent[i]);
    }
}

static void emit_put_copy(coindexed *a)
{
    const accessed *o = a->by_accessor.get();
    branching f = fork_at(a->call);
    sink_barrier(a);
    gimple_seq_add_seq(&f.seq, o->made);
    tree offset = emit_offset(&f.seq, a->token, o->whole.first), table, distance = only_if_near(&f, a->image, &table);
    tree bytes = only_if_forward(&f, &o->whole);
    only_if_packed(&f, &o->whole);
    only_if_packed(&f, &o->from);
    only_if_inside(&f, a->token, offset, bytes, table);
    tree at = emit_add(&f.seq, emit_convert(&f.seq, ptr_type_node, o->whole.first), distance);
    tree mine = emit_convert(&f.seq, ptr_type_node, o->from.first);
    gimple_seq_add_stmt(&f.seq, gimple_build_call(builtin_decl_implicit(BUILT_IN_MEMMOVE), 3, at, mine,
                                                  emit_convert(&f.seq, size_type_node, bytes)));
    fork_end(&f);
}

bool recognise_put_of_array(coindexed *a, remake *r, tree fn, tree buffer, tree address)
{
    accessed *o = a->by_accessor.get();
    if (!POINTER_TYPE_P(TREE_TYPE(address)))
        return stays_call(a, "its descriptor is not known");
    r->parameters.push_back({buffer, address, COARRAY_DESCRIPTOR});
    if (!read_put_loops(r, fn, buffer, &o->from, &o->whole))
        return stays_call(a, r->why ? r->why : "its accessor does more than copy a section");
    tree size = TYPE_SIZE_UNIT(o->whole.element);
    if (!tree_int_cst_equal(o->whole.step[0], size) || !tree_int_cst_equal(o->from.step[0], size))
        return stays_call(a, "a section that is not contiguous");
    a->emit = emit_put_copy;
    a->form = "made a copy";
    return true;
}
