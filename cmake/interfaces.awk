# Writes the interfaces of a Fortran module: awk -f interfaces.awk module.f90.in >module.f90
#
#     declare a, b(:): TYPE, ATTRIBUTES       declares all later arguments of these names
#     list l: a, b                            in a list of arguments, l stands for a, b
#     declared subroutine p(a, l)             the beginning of a procedure: the declarations of its arguments follow
#     each X_A a | X_B(i) b                   X_TEMPLATE is included with these macros
#
# Between `interfaces` and `end interfaces`:
#
#     subroutine p(a, l) bind(C)              the interface of a subroutine, or of a function
#     g: subroutine [x_]p([b, ]a) bind(C)     two specific procedures of g: without and with the text in brackets
#
# X_NAME and X_BITS are macros of the preprocessor, which replaces whole words. All other lines stay.

function declare(names, declaration,    i, n, each, name) {
    sub(/^ *declare /, "", names)
    n = split(names, each, ", ")
    for (i = 1; i <= n; i++) {
        name = each[i]
        sub(/\(.*/, "", name)
        declared[name] = declaration " :: " each[i]
    }
}

# Prints a statement in lines of at most 120 columns.
function print_statement(text, indent,    end) {
    text = indent text
    while (length(text) > 120) {
        for (end = 118; substr(text, end, 1) != " "; end--)
            ;
        print substr(text, 1, end) "&"
        text = indent "    " substr(text, end + 1)
    }
    print text
}

# Prints a heading with its lists spelled out, and the declarations of the arguments.
function print_heading(heading, indent, import,    first, last, i, n, words, arguments) {
    match(heading, /(subroutine|function) [^(]*\(/)
    first = RSTART + RLENGTH
    last = first + index(substr(heading, first), ")") - 1
    n = split(substr(heading, first, last - first), words, ", ")
    for (i = 1; i <= n; i++)
        arguments = arguments (i > 1 ? ", " : "") (words[i] in list ? list[words[i]] : words[i])
    print_statement(macros_apart(substr(heading, 1, first - 1) arguments substr(heading, last)), indent)
    printf "%s", import
    n = split(arguments, words, ", ")
    for (i = 1; i <= n; i++) {
        if (!(words[i] in declared)) {
            print FILENAME ":" FNR ": " words[i] " is not declared" >"/dev/stderr"
            exit 1
        }
        print_statement(declared[words[i]], indent "    ")
    }
}

function macros_apart(text) { gsub(/X_NAME|X_BITS/, "/**/&/**/", text); return text }

function print_interface(heading) {
    print_heading(heading, "        ", "            import\n")
    print heading ~ /subroutine / ? "        end subroutine" : "        end function"
}

function without_brackets(text) { gsub(/\[[^]]*\]/, "", text); return text }
function with_brackets(text) { gsub(/[][]/, "", text); return text }

# A line that ends with & continues on the next line.
(inside || $1 ~ /^(declared|each)$/) && /&$/ {
    begun = begun substr($0, 1, length($0) - 1)
    next
}
begun != "" {
    sub(/^ +/, "")
    $0 = begun $0
    begun = ""
}

{ colon = index($0, ": ") }
$1 == "interfaces" { inside = 1; next }
$1 == "end" && $2 == "interfaces" { inside = 0; next }
$1 == "declare" { declare(substr($0, 1, colon - 1), substr($0, colon + 2)); next }
$1 == "list" { list[substr($2, 1, length($2) - 1)] = substr($0, colon + 2); next }
$1 == "declared" {
    indent = substr($0, 1, index($0, "d") - 1)
    print_heading(substr($0, length(indent) + 10), indent, "")
    next
}
$1 == "each" {
    n = split(substr($0, 6), macros, " [|] ")
    for (i = 1; i <= n; i++)
        print "#define " macros[i]
    print "#include X_TEMPLATE\n#include \"undef.inc\""
    next
}
inside && $1 ~ /^[a-zA-Z0-9_]+:$/ {
    print "    interface " macros_apart(substr($1, 1, length($1) - 1))
    print_interface(without_brackets(substr($0, colon + 2)))
    if (/\[/)
        print_interface(with_brackets(substr($0, colon + 2)))
    print "    end interface"
    next
}
inside && /(subroutine|function) / {
    sub(/^ +/, "")
    print "    interface"
    print_interface($0)
    print "    end interface"
    next
}
{ print }
