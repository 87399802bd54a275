/* Faults of all versions of gfortran, and loops that wait for a coarray. */
#include "warn.h"

/* --- values that no statement computes ---------------------------------------------------------------------------- */

static bool is_gfortrans(tree variable)
{
    return VAR_P(variable) && !TREE_STATIC(variable) && !DECL_EXTERNAL(variable) && DECL_ARTIFICIAL(variable) &&
           !DECL_INITIAL(variable);
}

/* A variable of gfortran in the expression that no earlier statement has set: gfortran has misplaced or omitted the
 * statements that set it. */
static tree unset_in(procedure &p, tree expression)
{
    return find_in(expression, [&p](tree t) { return is_gfortrans(t) && !p.known.count(t); });
}

void check_unset(procedure &p, tree call, const char *called)
{
    std::string name = called;
    if (name == "_gfortran_caf_sync_images" && unset_in(p, CALL_EXPR_ARG(call, 1)))
        caf_warning(p.place, "sync images with an expression for which gfortran needs several statements: it omits "
                             "them, so the number is arbitrary; assign it to a variable first, or put it in "
                             "brackets, [ ]");
    if (name == "_gfortran_caf_event_wait" && unset_in(p, CALL_EXPR_ARG(call, 2)))
        caf_warning(p.place, "'until_count=' with an expression for which gfortran needs several statements: it omits "
                             "them, so the number is arbitrary; assign it to a variable first");
    if (name == "_gfortran_caf_register" && unset_in(p, CALL_EXPR_ARG(call, 0)) && !p.constant.count(p.copied))
        caf_warning(p.place, "allocatable components copied with their object into a coarray: gfortran does not "
                             "compute their size; copy the components one by one");
}

/* --- collective subroutines and atomics --------------------------------------------------------------------------- */

/* The text of an argument without its own subscripts: "y%i" of "call co_sum(a=y%i(2:), stat=s)". */
static std::string first_argument(const std::string &text, const char *of)
{
    size_t at = text.find(of);
    if (at == std::string::npos)
        return "";
    std::string argument;
    int depth = 0;
    for (at += strlen(of); at < text.size() && (depth || !strchr(",)", text[at])); at++) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        argument += text[at];
    }
    if (begins(argument, "a="))
        argument.erase(0, 2);
    return argument.substr(0, !argument.empty() && argument.back() == ')' ? argument.rfind('(') : std::string::npos);
}

/* The last component or variable of an address. */
static std::string last_name(tree t)
{
    while (t && !DECL_P(t)) {
        if (TREE_CODE(t) == COMPONENT_REF && !is_named(TREE_OPERAND(t, 1), "data")) {
            t = TREE_OPERAND(t, 1);
            break;
        }
        if (!EXPR_P(t) && !handled_component_p(t))
            return "";
        t = TREE_OPERAND(t, 0);
    }
    return t && DECL_NAME(t) ? IDENTIFIER_POINTER(DECL_NAME(t)) : "";
}

/* For a string of deferred length, the elem_len of co_broadcast's argument is 0. */
static void check_string(procedure &p, tree call)
{
    described *d = described_at(p, call, 0);
    if (is_named(variable_at(CALL_EXPR_ARG(call, 0)), "cdesc") && field_of(*d, "type") == TYPE_CHARACTER &&
        field_of(*d, "elem_len") == 0)
        caf_warning(p.place, "co_broadcast of an object with an allocatable string of deferred length: gfortran "
                             "broadcasts only its length; make it character(80), or broadcast the components one by "
                             "one");
}

static void check_collective(procedure &p, tree call, const std::string &subroutine)
{
    tree argument = CALL_EXPR_ARG(call, 0), variable = variable_at(argument);
    described *d = described_at(p, call, 0);
    int type = field_of(*d, "type");
    if (subroutine == "co_broadcast")
        check_string(p, call);
    if (!variable || is_named(variable, "cdesc") || (type != TYPE_DERIVED && type != TYPE_COMPLEX))
        return;
    std::string text = first_argument(statement_at(p.place).text, (subroutine + "(").c_str());
    size_t part = text.rfind('%');
    if (part == std::string::npos)
        return;
    std::string name = text.substr(part + 1);
    std::string whole = last_name(d->data && DECL_ARTIFICIAL(variable) ? d->data : argument);
    if (type == TYPE_COMPLEX ? name == "re" || name == "im" : !whole.empty() && name != whole)
        caf_warning(p.place, "'" + subroutine + "' of a component of an array's elements: gfortran passes the elements "
                             "themselves; assign the components to an array first, and afterwards from it");
}

/* co_broadcast needs the components of an array's elements. If the array has explicit shape, gfortran does not set its
 * address. */
static void check_broadcast_array(procedure &p, tree to, tree value)
{
    if (TREE_CODE(to) != COMPONENT_REF || !is_named(TREE_OPERAND(to, 0), "cdesc"))
        return;
    auto is_unset = [&p](tree t) {
        return is_component(t, "data") && is_named(TREE_OPERAND(t, 0), "parm") &&
               !p.descriptors[TREE_OPERAND(t, 0)].data;
    };
    if (find_in(value, is_unset))
        caf_warning(p.place, "co_broadcast of an array of explicit shape whose type has allocatable components: "
                             "gfortran does not set its address; make it allocatable, or broadcast the elements one by "
                             "one");
}

/* The offset of a component from its coarray: gfortran subtracts the component's value, not the coarray's address. */
static void check_atomic(procedure &p, tree call)
{
    for (int i = 1; i < 3; i++) {
        tree offset = CALL_EXPR_ARG(call, i);
        STRIP_NOPS(offset);
        if (TREE_CODE(offset) != MINUS_EXPR)
            continue;
        tree from = TREE_OPERAND(offset, 1);
        while (CONVERT_EXPR_P(from))
            from = TREE_OPERAND(from, 0);
        if (!POINTER_TYPE_P(TREE_TYPE(from)))
            caf_warning(p.place, "an atomic subroutine with a component of a type with allocatable components: "
                                 "gfortran passes a wrong address; use a separate coarray");
    }
}

/* --- stores ------------------------------------------------------------------------------------------------------- */

void check_store(procedure &p, tree to, tree value)
{
    STRIP_NOPS(value);
    /* An object with its type's default values, which gfortran keeps in a variable of the type's name, or a copy of
     * that. */
    if (VAR_P(to) && VAR_P(value) && RECORD_OR_UNION_TYPE_P(TREE_TYPE(value)) && is_gfortrans(to) &&
        (p.constant.count(value) || (DECL_ARTIFICIAL(value) && !is_named(value, "source") && !is_named(value, ""))))
        p.constant.insert(to);
    /* gfortran begins a procedure with this for each local coarray, in memory that all its invocations share. */
    if (is_component(to, "token") && VAR_P(TREE_OPERAND(to, 0)) && integer_zerop(value))
        p.own.emplace(TREE_OPERAND(to, 0), p.place);
    check_broadcast_array(p, to, value);
}

/* --- teams, and dummy arguments ----------------------------------------------------------------------------------- */

void check_jump(procedure &p, tree to)
{
    if (p.teams > 0)
        p.jumps.push_back({p.place, to, p.teams});
}

void end_jumps(procedure &p)
{
    for (const jump &j : p.jumps)
        if (!j.to || (p.labels.count(j.to) && p.labels[j.to] < j.teams))
            caf_warning(j.place, "a branch out of CHANGE TEAM: gfortran does not execute END TEAM, and the team "
                                 "remains the current one; write it so that END TEAM is reached");
}

/* A part of a coarray is passed for a dummy coarray of explicit shape, whose accessors know only the beginning of the
 * coarray. */
static void check_part(procedure &p, tree call)
{
    tree function = get_callee_fndecl(call);
    if (GCCPLUGIN_VERSION_MAJOR < 15 || !function || is_prefixed(function, "_gfortran_"))
        return;
    int explicit_ones = 0, coarrays = 0;
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(function)); type; type = TREE_CHAIN(type))
        explicit_ones += TREE_CODE(TREE_VALUE(type)) == POINTER_TYPE && TYPE_RESTRICT(TREE_VALUE(type));
    bool is_part = false;
    for (int i = 0; i + 1 < call_expr_nargs(call); i++) {
        tree token = CALL_EXPR_ARG(call, i), offset = CALL_EXPR_ARG(call, i + 1);
        if (!is_named(token, "caf_token") && !is_prefixed(token, "_F.caf_token"))
            continue;
        coarrays++;
        while (CONVERT_EXPR_P(offset) || TREE_CODE(offset) == NON_LVALUE_EXPR)
            offset = TREE_OPERAND(offset, 0);
        is_part |= !integer_zerop(offset) && !is_named(offset, "caf_offset");    /* not for a whole dummy coarray */
    }
    if (is_part && coarrays == explicit_ones)
        caf_warning(p.place, "a part of a coarray is passed for a dummy coarray: gfortran accesses the beginning of "
                             "the coarray; pass the coarray and the subscript");
}

/* A procedure with ENTRY statements becomes several, which call a common one without the tokens of dummy coarrays. */
static void check_entry(procedure &p, tree call)
{
    tree function = get_callee_fndecl(call);
    int parameters = 0, tokens = 0;
    if (!function || !is_prefixed(function, "master."))
        return;
    for (tree a = DECL_ARGUMENTS(function); a; a = DECL_CHAIN(a), parameters++)
        tokens += is_prefixed(a, "caf_token");
    if (tokens && parameters > call_expr_nargs(call))
        caf_warning(DECL_SOURCE_LOCATION(p.function), "a dummy coarray in a procedure with ENTRY: gfortran does not "
                                                      "pass on which coarray it is; write several procedures");
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

void check_call(procedure &p, tree call, const char *called)
{
    std::string name = called;
    if (name == "_gfortran_caf_form_team") {
        tree number = CALL_EXPR_ARG(call, 0);
        if (CONVERT_EXPR_P(number) &&
            TYPE_PRECISION(TREE_TYPE(TREE_OPERAND(number, 0))) > TYPE_PRECISION(TREE_TYPE(number)))
            caf_warning(p.place, "a team number of another kind than default: gfortran passes the lower half of it; "
                                 "convert it by int()");
    }
#if GCCPLUGIN_VERSION_MAJOR < 16
    if (name == "_gfortran_caf_num_images" && !integer_zerop(CALL_EXPR_ARG(call, 0)))
        caf_warning(p.place, "the argument of num_images is taken for a distance, and ignored: use 'change team'");
#endif
    p.teams += name == "_gfortran_caf_change_team" ? 1 : name == "_gfortran_caf_end_team" ? -1 : 0;
    check_part(p, call);
    check_entry(p, call);
    if (begins(name, "_gfortran_caf_co_"))
        check_collective(p, call, name.substr(strlen("_gfortran_caf_")));
    if (begins(name, "_gfortran_caf_atomic_"))
        check_atomic(p, call);
    if (get_callee_fndecl(call) == p.function)
        for (auto &coarray : p.own)
            caf_warning(coarray.second, "a local allocatable coarray of a recursive procedure: its invocations share "
                                        "it; declare it in the module");
}
