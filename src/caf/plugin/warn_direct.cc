/* The faults of gfortran 12 to 14, which pass descriptors of both sides of a coindexed access to the library. */
#include "warn.h"

/* --- descriptors -------------------------------------------------------------------------------------------------- */

int field_of(const described &d, const char *name)
{
    if (!d.dtype)
        return -1;
    unsigned at;
    tree field, value;
    FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(d.dtype), at, field, value)
        if (is_named(field, name) && tree_fits_shwi_p(value))
            return tree_to_shwi(value);
    return -1;
}

described *described_at(procedure &p, tree call, int argument)
{
    static described nothing;
    nothing = described();
    tree d = argument < call_expr_nargs(call) ? variable_at(CALL_EXPR_ARG(call, argument)) : NULL;
    auto found = p.descriptors.find(d);
    return found == p.descriptors.end() ? &nothing : &found->second;
}

static tree without_conversions(tree t)
{
    STRIP_NOPS(t);
    return t;
}

/* Whether t is the field of that name in a descriptor, which is a variable; *d: the descriptor. */
static bool is_field(tree t, const char *name, tree *d)
{
    if (!is_component(t, name))
        return false;
    *d = TREE_OPERAND(t, 0);
    return VAR_P(*d);
}

/* The result of a get is stored elsewhere element by element: the left-hand side has a vector subscript. */
static void check_scattered(procedure &p, tree value)
{
    value = without_conversions(value);
    tree read;
    auto is_read = [&](tree t) {
        return is_field(t, "data", &read) && is_named(read, "atmp") && p.descriptors.count(read);
    };
    if (!find_in(value, is_read) || !p.descriptors[read].filled)
        return;
    const described &d = p.descriptors[read];
    if (d.freed && d.varies)
        caf_warning(p.place, "a get into a vector subscript whose length is not a constant: gfortran computes it too "
                             "late; get into an array without one, then assign that");
    else if (INDIRECT_REF_P(value) && TREE_CODE(without_conversions(TREE_OPERAND(value, 0))) == POINTER_PLUS_EXPR &&
             has_subscripts(statement_at(p.place).left))
        caf_warning(p.place, "a get into a vector subscript of an array of several dimensions: gfortran stores the "
                             "elements elsewhere; get into an array without one, then assign that");
}

/* At the procedure's end gfortran 12 searches the components of a scalar coarray from its descriptor on, not in its
 * memory. Only alignment bytes follow the descriptor. */
static void check_freed(procedure &p, tree freed)
{
    tree base = base_of(freed);
    if (!base || !p.own.count(base))
        return;
    HOST_WIDE_INT offset = 0;
    bool elsewhere = false;
    for (tree t = without_conversions(freed); TREE_CODE(t) == COMPONENT_REF; t = TREE_OPERAND(t, 0)) {
        tree field = TREE_OPERAND(t, 1), within = TREE_OPERAND(t, 0);
        if (!tree_fits_shwi_p(byte_position(field)))
            return;
        offset += int_byte_position(field);
        elsewhere = within == base && TYPE_MAIN_VARIANT(DECL_CONTEXT(field)) != TYPE_MAIN_VARIANT(TREE_TYPE(base));
    }
    HOST_WIDE_INT size = int_size_in_bytes(TREE_TYPE(base));
    if (elsewhere && offset >= ROUND_UP(size, 32))
        caf_warning(p.own[base], "a local scalar coarray of a type with several allocatable components: at the "
                                 "procedure's end gfortran frees other memory; give it a dimension, (:)[:]");
}

void check_direct_store(procedure &p, tree to, tree value)
{
    tree d;
    value = without_conversions(value);
    if (is_field(to, "dtype", &d) && TREE_CODE(value) == CONSTRUCTOR) {
        described &is = p.descriptors[d];
        described now;
        now.dtype = value;
        if (field_of(is, "type") == TYPE_DERIVED &&
            (field_of(now, "type") != TYPE_DERIVED || field_of(now, "elem_len") != field_of(is, "elem_len")))
            is.lost = true;
        is.dtype = value;
    } else if (is_field(to, "data", &d)) {
        p.descriptors[d].data = value;
    } else if (is_named(base_of(to), "vector") && is_field(value, "data", &d)) {
        tree stride = p.descriptors[d].stride;
        if (stride && TREE_CODE(stride) == INTEGER_CST && !integer_onep(stride))
            caf_warning(p.place, "a vector subscript with a stride: gfortran passes the vector without it; assign it "
                                 "to a variable first");
    } else if (is_component(to, "stride") && TREE_CODE(TREE_OPERAND(to, 0)) == ARRAY_REF &&
               integer_zerop(TREE_OPERAND(TREE_OPERAND(to, 0), 1))) {
        p.descriptors[base_of(to)].stride = value;
    } else if (is_component(to, "ubound") && base_of(to)) {
        p.descriptors[base_of(to)].varies |= TREE_CODE(value) != INTEGER_CST;
    } else if (TREE_CODE(to) == SAVE_EXPR) {
        caf_warning(p.place, "an assignment to a static scalar coarray of type complex: gfortran loses it; make it "
                             "allocatable");
    }
    check_scattered(p, value);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void check_component(procedure &p, const described &d)
{
    if (d.lost)
        caf_warning(p.place, "a component behind the section of an array: gfortran always accesses the type's "
                             "first component; for any other component, access the elements one by one");
}

static void check_characters(procedure &p, int to_type, const described &from)
{
    tree data = from.data && TREE_CODE(from.data) == ADDR_EXPR ? TREE_OPERAND(from.data, 0) : from.data;
    int type = field_of(from, "type");
    if ((to_type == TYPE_CHARACTER && from.dtype && type != TYPE_CHARACTER) ||
        (type == TYPE_CHARACTER && field_of(from, "elem_len") == 0 &&
         (is_named(data, "str") || is_named(data, "pstr"))))
        caf_warning(p.place, "a character expression whose length gfortran does not pass on: assign it to a variable "
                             "first, and put that");
}

/* One side of an access, as the statement writes it. */
static void check_part(procedure &p, const described &d, const std::string &side, const char *pattern)
{
    if (field_of(d, "rank") > 0 && matches(side, pattern))
        caf_warning(p.place, "%im of a section: gfortran accesses the real parts; access the elements one by one");
}

static void check_put(procedure &p, const described &to, const described &from)
{
    check_component(p, to);
    check_component(p, from);
    check_characters(p, field_of(to, "type"), from);
    source_statement s = statement_at(p.place);
    check_part(p, to, s.left, "%im$");
    check_part(p, from, s.right, "%im$");
    if (matches(s.left, "\\[([^][]*,)?stat="))
        caf_warning(p.place, "'stat=' is ignored in the image selector of a variable that is assigned to");
    if (field_of(to, "type") != TYPE_CHARACTER && field_of(from, "type") != TYPE_CHARACTER)
        return;
    int n = substring_length(s.left), length = field_of(from, "elem_len");
    if (matches(s.left, "\\]\\(1?:[^)]"))
        caf_warning(p.place, "a put to the beginning of a string makes the rest of it blank: get the string, change "
                             "it, put it back");
    else if (n && length > 0 && length != n)
        caf_warning(p.place, "a put of " + std::to_string(length) + " characters to a substring of " +
                                 std::to_string(n) + ": make the lengths the same");
    if (field_of(from, "rank") == 0 && matches(s.right, "^[a-z][a-z0-9_%]*(\\([^():]*\\))?\\([^()]*:[^()]*\\)$"))
        caf_warning(p.place, "a put of a substring puts the whole string: assign the substring to a variable of its "
                             "length first");
}

static void check_get(procedure &p, tree call, described &to, const described &from)
{
    check_component(p, from);
    check_component(p, to);
    if (is_named(variable_at(CALL_EXPR_ARG(call, 3)), "atmp"))
        caf_warning(p.place, "a coindexed array with a vector subscript in an expression: gfortran passes its own "
                             "copy; assign the array to a variable first");
    source_statement s = statement_at(p.place);
    check_part(p, from, s.right, "\\]%im");
    int n = substring_length(s.right), length = field_of(to, "elem_len");
    if (field_of(to, "type") == TYPE_CHARACTER && n && length > 0 && length != n && !s.left.empty())
        caf_warning(p.place, "a get of a substring of " + std::to_string(n) + " characters to a variable of " +
                                 std::to_string(length) + ": make the lengths the same");
    if (matches(s.right, "\\[[^][]*,team="))
        caf_warning(p.place, "'team=' is ignored in the image selector of a value: use 'change team'");
    to.filled = is_named(variable_at(CALL_EXPR_ARG(call, 5)), "atmp");
}

void check_direct_call(procedure &p, tree call, const char *called)
{
    std::string name = called;
    int arguments = call_expr_nargs(call);
    if (name == "_gfortran_caf_send") {
        check_put(p, *described_at(p, call, 3), described(*described_at(p, call, 5)));
    } else if (name == "_gfortran_caf_get") {
        described from = *described_at(p, call, 3);
        check_get(p, call, *described_at(p, call, 5), from);
    } else if (name == "_gfortran_caf_sendget") {
        check_component(p, *described_at(p, call, 3));
        check_component(p, *described_at(p, call, 8));
    } else if (name == "_gfortran_caf_send_by_ref") {
        tree type = CALL_EXPR_ARG(call, arguments - 1);
        check_characters(p, tree_fits_shwi_p(type) ? tree_to_shwi(type) : -1, *described_at(p, call, 2));
    } else if (name == "_gfortran_caf_get_by_ref") {
        described *d = described_at(p, call, 2);
        if (d->data && is_named(d->data, ""))
            d->copied = p.place;
    } else if (name == "__builtin_free" && arguments) {
        tree freed = without_conversions(CALL_EXPR_ARG(call, 0)), d;
        if (is_field(freed, "data", &d) && p.descriptors.count(d)) {
            p.descriptors[d].freed = true;
            p.descriptors[d].copied = UNKNOWN_LOCATION;
        }
        check_freed(p, freed);
    }
}

void end_direct(procedure &p)
{
    for (auto &d : p.descriptors)
        if (d.second.copied != UNKNOWN_LOCATION)
            caf_warning(d.second.copied, "two components of coindexed objects in one expression: gfortran does not "
                                         "free its copy of the second; assign one to a variable first");
}
