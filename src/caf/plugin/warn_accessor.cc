/* The faults of gfortran 15 and 16, which make a function, an accessor, for each coindexed object:
 *
 *     v = shaped(1:3)[1]    is    if (__caf_get_from_remote_fn_index_0 == -1)
 *                                   __caf_get_from_remote_fn_index_0 =
 *                                     _gfortran_caf_get_remote_function_index (HASH);
 *                                 _gfortran_caf_get_from_remote (caf_token.0, 0B, ...,
 *                                   __caf_get_from_remote_fn_index_0, &__caf_get_from_remote_add_data_0, ...);
 *
 * where _caf_init registers HASH and _caf_accessor_main_shaped_1 with the library. */
#include "warn.h"

static std::map<HOST_WIDE_INT, tree> accessors;    /* by their hashes */

static tree note_accessor(tree *at, int *, void *)
{
    if (TREE_CODE(*at) == CALL_EXPR && !strcmp(function_of(*at), "_gfortran_caf_register_accessor")) {
        tree hash = CALL_EXPR_ARG(*at, 0), function = CALL_EXPR_ARG(*at, 1);
        STRIP_NOPS(function);
        if (tree_fits_shwi_p(hash) && TREE_CODE(function) == ADDR_EXPR)
            accessors[tree_to_shwi(hash)] = TREE_OPERAND(function, 0);
    }
    return NULL;
}

void note_accessors(tree body)
{
    walk_tree_without_duplicates(&body, note_accessor, NULL);
}

/* Whether the accessor of a call gets the object by a descriptor. */
static bool takes_descriptor(procedure &p, tree index)
{
    auto hash = p.hashes.find(index);
    auto accessor = hash == p.hashes.end() ? accessors.end() : accessors.find(hash->second);
    if (accessor == accessors.end())
        return false;
    tree argument = DECL_ARGUMENTS(accessor->second);
    for (int i = 0; i < 4 && argument; i++)    /* its data, the image, the buffer, whether to free that */
        argument = DECL_CHAIN(argument);
    if (!argument || !POINTER_TYPE_P(TREE_TYPE(argument)) || TREE_CODE(TREE_TYPE(TREE_TYPE(argument))) != RECORD_TYPE)
        return false;
    for (tree field = TYPE_FIELDS(TREE_TYPE(TREE_TYPE(argument))); field; field = DECL_CHAIN(field))
        if (is_named(field, "dtype"))
            return true;
    return false;
}

/* Whether the text is only a coindexed object. */
static bool is_designator(const std::string &text)
{
    return matches(text, "^[a-z][a-z0-9_]*(\\([^()]*\\))?(%[a-z0-9_%]*(\\([^()]*\\))?)*\\[[^][]*\\]"
                         "(%[a-z0-9_]+(\\([^()]*\\))?)*$");
}

static void check_backwards(procedure &p, const std::string &text)
{
    if (matches(text, "\\[[^][]*\\]%[a-z0-9_%]*\\([^()]*::-[0-9]"))
        caf_warning(p.place, "a section of a component with a negative stride and no end: gfortran ends it at "
                             "the upper bound; write the lower bound");
}

static std::string name_of(location_t place)
{
    expanded_location at = expand_location(place);
    return std::string(at.file ? at.file : "") + ":" + std::to_string(at.line);
}

/* --- objects that a procedure may change -------------------------------------------------------------------------- */

/* Copies of the objects of gets: the descriptor or the variable with the address that the call passes, and variables of
 * gfortran with the same value. */
static void note_copy(procedure &p, tree to, tree value)
{
    STRIP_NOPS(value);
    if (VAR_P(to) && is_named(to, "") && (handled_component_p(value) || INDIRECT_REF_P(value)) &&
        p.copies.count(base_of(value)))
        p.copies.insert(to);
    if (is_component(to, "internal_unit") && p.copies.count(base_of(value)))
        p.units.insert(base_of(to));
    if (is_component(to, "_data") && p.copies.count(base_of(value)))
        p.copies.insert(base_of(to)); /* for a CLASS dummy argument */
}

/* Whether the called procedure may change what its argument i points to, as gfortran tells GCC: for each argument two
 * characters, of which the first is r for INTENT(IN). An argument with VALUE is no pointer. */
static bool may_change(tree call, int i)
{
    tree spec = lookup_attribute("fn spec", TYPE_ATTRIBUTES(TREE_TYPE(TREE_TYPE(CALL_EXPR_FN(call)))));
    tree text = spec ? TREE_VALUE(TREE_VALUE(spec)) : NULL;
    const int at = 2 + 2 * i;
    return text && POINTER_TYPE_P(TREE_TYPE(CALL_EXPR_ARG(call, i))) && at < TREE_STRING_LENGTH(text) &&
        strchr("wWoO", TREE_STRING_POINTER(text)[at]);
}

/* Whether the procedure is an intrinsic subroutine: gfortran does not tell GCC which arguments it changes. */
static bool is_intrinsic(const char *name)
{
    for (const char *with : {"random_r", "arandom_r", "cpu_time", "system_clock", "date_and_time", "get_"})
        if (begins(name, (std::string("_gfortran_") + with).c_str()))
            return true;
    return false;
}

static void warn_of_copy(procedure &p)
{
    caf_warning(p.place, "a coindexed object that the statement may change (READ, or a dummy argument without "
                         "INTENT(IN)): gfortran changes a copy; use a variable, and assign it to the object");
}

static void check_arguments(procedure &p, tree call, const char *name)
{
    bool is_lost = !strcmp(name, "_gfortran_st_write") && p.units.count(base_of(CALL_EXPR_ARG(call, 0)));
    for (int i = 0; i < call_expr_nargs(call); i++)
        is_lost = is_lost ||
            (p.copies.count(base_of(CALL_EXPR_ARG(call, i))) && (is_intrinsic(name) || may_change(call, i)));
    if (is_lost)
        warn_of_copy(p);
}

/* Warns of a statement that changes the copy: the statement sets the copy itself (iostat=, and some intrinsic
 * subroutines, of which some make no copy), or the library sets it (newunit=, all of INQUIRE). */
static void check_changed(procedure &p, tree to, tree value)
{
    STRIP_NOPS(value);
    tree pointer = INDIRECT_REF_P(to) ? TREE_OPERAND(to, 0) : NULL;
    if (GCCPLUGIN_VERSION_MAJOR < 15)
        return;
    if (pointer && VAR_P(pointer) && DECL_ARTIFICIAL(pointer) && is_named(pointer, "") &&
        (p.copies.count(pointer) || (!TREE_STATIC(pointer) && !p.known.count(pointer))))
        warn_of_copy(p);
    if (TREE_CODE(to) != COMPONENT_REF || !p.copies.count(base_of(value)))
        return;
    tree field = TREE_OPERAND(to, 1);
    if (is_named(field, "newunit") || is_named(field, "iomsg") ||
        (is_named(base_of(to), "inquire_parm") && POINTER_TYPE_P(TREE_TYPE(field)) && !is_named(field, "file")))
        warn_of_copy(p);
}

/* An ASSOCIATE name for an array coarray or for a part of one has no cobound and, on other images, the coarray's
 * address (15). */
static void note_name(procedure &p, tree to, tree value)
{
    tree name = TREE_CODE(to) == COMPONENT_REF ? TREE_OPERAND(to, 0) : NULL;
    if (GCCPLUGIN_VERSION_MAJOR != 15 || !name || !VAR_P(name) || !TREE_STATIC(name))
        return;
    STRIP_NOPS(value);
    if (is_component(to, "data") && TREE_CODE(value) == ADDR_EXPR &&
        find_in(value, [](tree t) { return TREE_CODE(t) == ARRAY_REF; }))
        p.parts.insert(name);
}

static void check_name(procedure &p, tree token)
{
    if (TREE_CODE(token) == COMPONENT_REF && p.parts.count(TREE_OPERAND(token, 0)))
        caf_warning(p.place, "a coindexed ASSOCIATE name for a coarray: gfortran accesses the beginning of the "
                             "coarray, on another image; use the coarray itself");
}

void check_accessor_store(procedure &p, tree to, tree value)
{
    check_changed(p, to, value);
    note_copy(p, to, value);
    note_name(p, to, value);
    if (VAR_P(to) && TREE_CODE(value) == CALL_EXPR && call_expr_nargs(value) == 1 &&
        !strcmp(function_of(value), "_gfortran_caf_get_remote_function_index")) {
        if (tree_fits_shwi_p(CALL_EXPR_ARG(value, 0)))
            p.hashes[to] = tree_to_shwi(CALL_EXPR_ARG(value, 0));
        return;
    }
    tree base = base_of(to);
    if (!base || !VAR_P(base) || !is_prefixed(base, "__caf_"))
        return;
    /* A bound of an ASSOCIATE name, in a variable that only a later statement sets. */
    if (VAR_P(value) && is_prefixed(value, "caf_temp_") && !p.known.count(value))
        caf_warning(p.place, "a coindexed array whose bounds are of another kind than 8 is associated with a name: "
                             "gfortran converts them only afterwards; assign it to a variable first, and associate "
                             "that");
    if (TREE_CODE(to) == ARRAY_REF && INDIRECT_REF_P(TREE_OPERAND(to, 0)))
        caf_warning(p.place, "a vector subscript whose bounds are no constants: gfortran loses its values, and "
                             "overwrites other memory; make it an allocatable variable");
}

/* gfortran forgets the image of an object that it evaluates for an access. */
static void check_nested(procedure &p)
{
    if (has_nested_image(statement_at(p.place).text))
        caf_warning(p.place, "a coindexed object in the subscripts or the image selector of another, or in a coarray's "
                             "bounds: gfortran uses this image's object; assign it to a variable first");
}

/* gfortran also forgets the image on one side of an assignment, if both sides are variables and the other side is
 * coindexed. */
static void check_sides(procedure &p, const std::string &coindexed, const std::string &other)
{
    if (is_variable(coindexed) && has_image(coindexed) && is_variable(other) && !has_image(other) &&
        has_image(other, true))
        caf_warning(p.place, "a coindexed object in the subscripts of one side of an assignment whose other side is "
                             "coindexed: gfortran uses this image's object; assign it to a variable first");
}

static void check_get(procedure &p, tree call)
{
    source_statement s = statement_at(p.place);
    check_backwards(p, s.right);
    check_sides(p, s.right, s.left);
    p.got.insert(name_of(p.place));
    for (int i : {5, 7}) /* the variable with the copy's address; its descriptor, or a null pointer */
        if (tree copy = base_of(CALL_EXPR_ARG(call, i)); VAR_P(copy))
            p.copies.insert(copy);
    if (integer_zerop(CALL_EXPR_ARG(call, 1)) && takes_descriptor(p, CALL_EXPR_ARG(call, 9)))
        caf_warning(p.place, "a get from a dummy argument of assumed shape: gfortran uses the values as bounds; "
                             "declare it with explicit shape, or allocatable");
}

static void check_put(procedure &p)
{
    source_statement s = statement_at(p.place);
    check_backwards(p, s.left);
    check_backwards(p, s.right);
    if (GCCPLUGIN_VERSION_MAJOR > 15 && !p.got.count(name_of(p.place)))
        check_sides(p, s.left, s.right);
    if (GCCPLUGIN_VERSION_MAJOR > 15 || s.left.find('[') == std::string::npos)
        return;
    if (matches(s.right, "[a-z0-9_)]\\[") && !is_designator(s.right) && !p.got.count(name_of(p.place)))
        caf_warning(p.place, "an expression with a coindexed object, assigned to one: gfortran reads the object of "
                             "this image; assign the expression to a variable first");
    if (matches(s.right, "[a-z0-9_)]\\[[^][]*,team(_number)?="))
        caf_warning(p.place, "'team=' is ignored in the value of a coindexed assignment: assign the value to a "
                             "variable first");
}

void check_accessor_call(procedure &p, tree call, const char *name)
{
    if (!begins(name, "_gfortran_caf_"))
        check_arguments(p, call, name);
    else if (!strcmp(name, "_gfortran_caf_get_from_remote"))
        check_get(p, call);
    else if (!strcmp(name, "_gfortran_caf_send_to_remote") || !strcmp(name, "_gfortran_caf_transfer_between_remotes"))
        check_put(p);
    if (GCCPLUGIN_VERSION_MAJOR >= 15 && begins(name, "_gfortran_caf_"))
        check_nested(p);
    if (begins(name, "_gfortran_caf_get_from") || begins(name, "_gfortran_caf_send_to"))
        check_name(p, CALL_EXPR_ARG(call, 0));
}

/* An accessor runs on the other image, where the variables of the procedure with the access do not exist. */
void check_accessor_variable(procedure &p, tree variable)
{
    tree owner = DECL_CONTEXT(variable);
    if (is_prefixed(p.function, "_caf_accessor_") && owner && owner != p.function &&
        TREE_CODE(owner) == FUNCTION_DECL && !TREE_STATIC(variable) && !DECL_EXTERNAL(variable))
        caf_warning(DECL_SOURCE_LOCATION(p.function),
                    "a dummy coarray whose bounds are other variables, which gfortran's accessor cannot read; "
                    "declare it with (*), constant bounds, or allocatable");
}

/* gfortran forgets the image of an object in a specification expression. Its trees have no trace of it. */
void check_specifications()
{
    if (GCCPLUGIN_VERSION_MAJOR < 15)
        return;
    std::map<std::string, location_t> files; /* the first function of each */
    cgraph_node *node;
    FOR_EACH_FUNCTION(node) {
        location_t place = DECL_SOURCE_LOCATION(node->decl);
        expanded_location at = expand_location(place);
        if (at.file && at.line > 0) {
            location_t &first = files.emplace(at.file, place).first->second;
            if (at.line < expand_location(first).line)
                first = place;
        }
    }
    for (auto &file : files)
        for (int line : lines_that_specify_by_image(file.first.c_str(), expand_location(file.second).line)) {
            const line_map *map = linemap_lookup(line_table, file.second);
            caf_warning(linemap_position_for_line_and_column(line_table, linemap_check_ordinary(map), line, 0),
                        "a coindexed object in an array bound or a length: gfortran uses this image's object; assign "
                        "it to a variable first, and pass that to the procedure");
        }
}
