# What caf warns of: the coindexed accesses that gfortran accepts and gets wrong, as far as they can be seen in what it
# makes of them (-fdump-tree-original-lineno); docs/coarrays.md has the tables, of 12 to 14 and of 15 and 16. Where that
# tells too little, of substrings for one, the source has the rest: the dump names the line.
#
#     awk -v version=16 [-v error=1] -f caf.awk DUMP        exit code 1: warned, and -v error=1 was given

function warn(text,    line) {
    line = place ": " (error ? "Error: " : "Warning: ") text (error ? " [-Werror=caf]" : " [-Wcaf]")
    if (!(line in said))
        print line > "/dev/stderr"
    said[line] = 1
    warned = 1
}

# --- the source ------------------------------------------------------------------------------------------------------

function load(name,    text) {
    if (name == loaded)
        return
    loaded = name
    lines = 0
    while ((getline text < name) > 0)
        source[++lines] = text
    close(name)
    fixed = name ~ /\.([fF]|for|FOR|ftn|FTN|fpp|FPP)$/
}

# The line in lower case without comments and blanks, its strings empty.
function code(n,    text, out, at, c, quote) {
    text = source[n]
    if (text ~ /^#/ || (fixed && text ~ /^[cC*dD]/))
        return ""
    if (fixed)
        text = substr(text, 7)
    for (at = 1; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (quote != "") {
            if (c == quote)
                quote = ""
        } else if (c == "!")
            break
        else if (c == "'" || c == "\"") {
            quote = c
            out = out "''"
        } else if (c != " " && c != "\t" && c != "\r")
            out = out c
    }
    return tolower(out)
}

function is_continued(n,    next_line) {
    if (fixed) {
        for (next_line = n + 1; next_line < lines && code(next_line) == ""; next_line++)
            ;
        return source[next_line] ~ /^     [^ 0]/
    }
    return code(n) ~ /&$/ || (code(n) == "" && n > 1 && n < lines && is_continued(n - 1))
}

# The statement of which that line is a part.
function statement(name, n,    first, out, part, more) {
    load(name)
    if (n > lines)
        return ""
    for (first = n; first > 1 && is_continued(first - 1); first--)
        ;
    for (out = ""; first <= lines; first++) {
        part = code(first)
        sub(/^&/, "", part)
        more = is_continued(first)
        sub(/&$/, "", part)
        out = out part
        if (!more)
            break
    }
    return out
}

# Where the expression that begins at `at` closes the bracket it begins with.
function closing(text, at,    depth) {
    for (; at <= length(text); at++) {
        if (substr(text, at, 1) ~ /[([]/)
            depth++
        else if (substr(text, at, 1) ~ /[])]/ && --depth == 0)
            return at
    }
    return length(text)
}

# Sets left and right to the sides of the assignment, of those of a line the first that is coindexed; left is empty if
# there is none.
function sides(text,    at, c) {
    while ((at = index(text, ";")) && substr(text, 1, at) !~ /\[/)
        text = substr(text, at + 1)
    sub(/;.*/, "", text)
    sub(/^[0-9]+/, "", text)
    if (text ~ /^if\(/)
        text = substr(text, closing(text, 3) + 1)
    left = ""
    right = text
    for (at = 1; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (c == "(" || c == "[")
            at = closing(text, at)
        else if (c == "=" && substr(text, at + 1, 1) !~ /[=>]/) {
            left = substr(text, 1, at - 1)
            right = substr(text, at + 1)
            return
        }
    }
}

# Whether it is an array element or section with several subscripts.
function has_subscripts(text,    at, c) {
    at = index(text, "(")
    if (text !~ /^[a-z][a-z0-9_%]*\(/ || closing(text, at) != length(text))
        return 0
    for (at++; at < length(text) && (c = substr(text, at, 1)) != ","; at++)
        if (c == "(" || c == "[")
            at = closing(text, at)
    return c == ","
}

# Of "...](2:5)" 4; else 0.
function substring_length(text,    bounds) {
    if (!match(text, /\]\([0-9]+:[0-9]+\)$/))
        return 0
    split(substr(text, RSTART + 2, RLENGTH - 3), bounds, ":")
    return bounds[2] - bounds[1] + 1
}

# --- the dump --------------------------------------------------------------------------------------------------------

# Of a descriptor; -1 where it is not known.
function field_of(d, name) {
    name = "." name "="
    return d in dtype && match(dtype[d], name "[0-9]+[,}]") ? substr(dtype[d], RSTART + length(name)) + 0 : -1
}
function type_of(d) { return field_of(d, "type") }
function length_of(d) { return field_of(d, "elem_len") }
function is_scalar(d) { return field_of(d, "rank") == 0 }

# The argument of a call that is so many before its last one, without the & of an address.
function argument(back,    n, list) {
    n = split($0, list, ", ")
    return n > back ? substr(list[n - back], 2) : ""
}

function check_component(d) {
    if (d in lost)
        warn("a component behind the section of a coindexed array: gfortran accesses the type's first component; " \
             "where it is another one, access the elements one by one")
}

function check_characters(to_type, from) {
    if ((to_type == 6 && from in dtype && type_of(from) != 6) ||
        (type_of(from) == 6 && length_of(from) == 0 && data[from] ~ /^(&str|pstr)/))
        warn("a character expression whose length gfortran does not pass on: assign it to a variable first, " \
             "and put that")
}

function check_put(to, from,    n) {
    check_component(to)
    check_characters(type_of(to), from)
    sides(statement(file, line))
    if (left ~ /\[([^][]*,)?stat=/)
        warn("'stat=' is ignored in the image selector of a variable that is assigned to")
    if (type_of(to) != 6 && type_of(from) != 6)
        return
    n = substring_length(left)
    if (left ~ /\]\(1?:[^)]/)
        warn("a put to the beginning of a string makes the rest of it blank: get the string, change it, put it back")
    else if (n && length_of(from) > 0 && length_of(from) != n)
        warn("a put of " length_of(from) " characters to a substring of " n ": make the lengths the same")
    if (is_scalar(from) && right ~ /^[a-z][a-z0-9_%]*(\([^():]*\))?\([^()]*:[^()]*\)$/)
        warn("a put of a substring puts the whole string: assign the substring to a variable of its length first")
}

function check_get(to, from,    n) {
    check_component(from)
    if ($0 ~ /_caf_get \([^,]*, \(*\(integer\(kind=8\)\) atmp\./)
        warn("a coindexed array with a vector subscript in an expression: gfortran passes a copy of its own; " \
             "assign it to a variable first")
    sides(statement(file, line))
    n = substring_length(right)
    if (type_of(to) == 6 && n && length_of(to) > 0 && length_of(to) != n && left != "")
        warn("a get of a substring of " n " characters to a variable of " length_of(to) ": make the lengths the same")
    if (right ~ /\[[^][]*,team=/)
        warn("'team=' is ignored in the image selector of a value: use 'change team'")
    if (to ~ /^atmp/)
        filled[to] = 1
}

# --- gfortran 15 and 16 ----------------------------------------------------------------------------------------------

# What a call of the library is given, from the first: token, ...
function first_argument() {
    return match($0, /_remote \([^,]*/) ? substr($0, RSTART + 9, RLENGTH - 9) : ""
}

# Whether a coindexed object is all that the text has.
function is_designator(text) {
    return text ~ /^[a-z][a-z0-9_%]*(\([^()]*\))?(%[a-z0-9_%]*(\([^()]*\))?)*\[[^][]*\](%[a-z0-9_]+(\([^()]*\))?)*$/
}

function check_backwards(text) {
    if (text ~ /\[[^][]*\]%[a-z0-9_%]*\([^()]*::-[0-9]/)
        warn("a section of a component with a negative stride and no end: gfortran takes the upper bound for it; " \
             "write the lower one")
}

# Dummy arguments of assumed shape, by their tokens, from the head of a procedure.
function note_assumed_shapes(head,    token) {
    while (match(head, /struct array[0-9]+_[^,]* & restrict [a-z0-9_]+, void \* restrict caf_token[^,]*/)) {
        token = substr(head, RSTART, RLENGTH)
        head = substr(head, RSTART + RLENGTH)
        sub(/.* /, "", token)
        assumed[token] = 1
    }
}

function check_accessor_get() {
    sides(statement(file, line))
    check_backwards(right)
    got[file, line] = 1
    if (first_argument() in assumed && $0 ~ /_remote \([^,]*, 0B,/)
        warn("a get from a dummy argument of assumed shape: gfortran takes the values for the bounds; " \
             "declare it with explicit shape, or allocatable")
}

function check_accessor_put() {
    sides(statement(file, line))
    check_backwards(left)
    check_backwards(right)
    if (version == 15 && left ~ /\[/ && right ~ /[a-z0-9_)]\[/ && !is_designator(right) && !((file, line) in got))
        warn("an expression with a coindexed object, assigned to one: gfortran reads the object of this image; " \
             "assign the expression to a variable first")
    if (version == 15 && left ~ /\[/ && right ~ /[a-z0-9_)]\[[^][]*,team(_number)?=/)
        warn("'team=' is ignored in the value of a coindexed assignment: assign the value to a variable first")
}

# --- statements ------------------------------------------------------------------------------------------------------

function end_procedure(    d) {
    for (d in copies) {
        place = copies[d]
        warn("two components of coindexed objects in one expression: gfortran does not free its copy of the second; " \
             "assign one to a variable first")
    }
    split("", copies)
}

# A new procedure: its descriptors have numbers of their own.
/^[^] {}[]/ {
    end_procedure()
    split("", dtype); split("", data); split("", lost); split("", stride); split("", filled); split("", freed)
    split("", of_procedure); split("", varies); split("", computed); split("", initial)
    split("", declared); split("", arrays); split("", assumed); split("", given)
    if (match($0, /[A-Za-z0-9_]+ \(/) && $0 !~ /^__attribute__/)
        procedure = substr($0, RSTART, RLENGTH - 2)
    if (procedure !~ /^_caf_/)
        note_assumed_shapes($0)
}

# Lines of interest lose their places, of which the first is the statement's.
/dtype = |\.data|_gfortran_caf|_add_data_|SAVE_EXPR|\.(stride|ubound) = |\.token = 0B/ {
    if (match($0, /\[[^][]*:[0-9]+:[0-9]+\]/)) {
        place = substr($0, RSTART + 1, RLENGTH - 2)
        split(place, part, ":")
        file = part[1]
        line = part[2]
        gsub(/\[[^][]*:[0-9]+:[0-9]+\] */, "")
    }
    sub(/^ +/, "")
}

# A bound of what an ASSOCIATE names, in a variable of gfortran's that nothing before this has set.
version > 14 && match($0, /caf_temp___convert_[A-Za-z0-9_]+ = /) && $0 !~ /_add_data_/ {
    given[substr($0, RSTART, RLENGTH - 3)] = 1
}
/^__caf_[a-z_]+_add_data_[0-9]+\.caf_temp___convert_[A-Za-z0-9_]+ = caf_temp_[A-Za-z0-9_]+;/ {
    if (!(substr($3, 1, length($3) - 1) in given))
        warn("a coindexed array whose bounds are of another kind than 8 is associated with a name: gfortran converts " \
             "them only afterwards; assign it to a variable first, and associate that")
}
/^_gfortran_caf_get_from_remote \(/ { check_accessor_get() }
/^_gfortran_caf_(send_to_remote|transfer_between_remotes) \(/ { check_accessor_put() }
# What a pointer that nobody has set points at is given the values of a vector subscript.
/^\(\*__caf_[a-z_]+_add_data_[0-9]+\.caf_temp_/ {
    warn("a vector subscript whose bounds are no constants: gfortran loses its values, and what they overwrite; " \
         "make it an allocatable variable")
}
/_gfortran_caf_form_team \(\(integer\(kind=4\)\) / {
    warn("a team number of another kind than default: gfortran passes the lower half of it; convert it by int()")
}
# A name with a number is gfortran's own: what gives it its value comes before the call, or, here, is left out.
version < 16 && /^_gfortran_caf_sync_images \(1, &.*[A-Za-z_]\.[0-9]/ {
    warn("sync images with an expression that takes statements of its own: gfortran leaves these out, and any number " \
         "comes; assign it to a variable first, or put it in brackets, [ ]")
}
version > 14 && !/^ |\.token = 0B;|_gfortran_caf_num_images/ { next }

/^[a-z_][a-z0-9_.]*\.dtype = / {
    d = substr($1, 1, length($1) - 6)
    if (d in dtype && dtype[d] ~ /type=5}/ && dtype[d] != $0)
        lost[d] = 1
    dtype[d] = $0
}

/^(desc|parm|atmp)\.[0-9]+\.data = / {
    d = substr($1, 1, length($1) - 5)
    value = $0
    sub(/^[^=]*= (\(void \*( restrict)?\) )?/, "", value)
    data[d] = value
}

/^parm\.[0-9]+\.dim\[0\]\.stride = -?[0-9]+;/ { stride[substr($1, 1, index($1, ".dim") - 1)] = $3 + 0 }

/vector\.[0-9]+.* = .*parm\.[0-9]+\.data/ {
    match($0, /parm\.[0-9]+\.data/)
    d = substr($0, RSTART, RLENGTH - 5)
    if (d in stride && stride[d] != 1)
        warn("a vector subscript with a stride: gfortran passes the vector without it; assign it to a variable first")
}

/_gfortran_caf_send \(/ { check_put(argument(7), argument(5)) }
/_gfortran_caf_get \(/ { check_get(argument(4), argument(6)) }
/_gfortran_caf_sendget \(/ { check_component(argument(5)) }
/_gfortran_caf_send_by_ref \(/ {
    match($0, /[0-9]+\);$/)
    check_characters(substr($0, RSTART, RLENGTH - 2) + 0, argument(7))
}
/_gfortran_caf_get_by_ref \(/ {
    d = argument(7)
    if (d in data && data[d] ~ /^D\./)
        copies[d] = place
}
version < 16 && /_gfortran_caf_num_images \([^0]/ {
    warn("the argument of num_images is taken for a distance, and ignored: use 'change team'")
}

/^atmp\.[0-9]+\.dim\[[0-9]\]\.ubound = [^-0-9]/ { varies[substr($1, 1, index($1, ".dim") - 1)] = 1 }
/^__builtin_free \(\(void \*\) atmp\.[0-9]+\.data\);/ {
    match($0, /atmp\.[0-9]+/)
    freed[substr($0, RSTART, RLENGTH)] = 1
    delete copies[substr($0, RSTART, RLENGTH)]
    next
}

# What a get has filled, stored elsewhere element by element: that is a vector subscript on the left-hand side.
/atmp\.[0-9]+\.data/ && !/_gfortran_caf/ && !/^atmp/ {
    match($0, /atmp\.[0-9]+/)
    d = substr($0, RSTART, RLENGTH)
    if (!(d in filled))
        next
    sides(statement(file, line))
    if (d in freed && d in varies)
        warn("a get into a vector subscript whose length is not a constant: gfortran computes it too late; " \
             "get into an array without one, then assign that")
    else if (has_subscripts(left) && $0 ~ /= \*\(\([^()]*(\([^()]*\)[^()]*)*\) atmp\.[0-9]+\.data/)
        warn("a get into a vector subscript of an array of several dimensions: gfortran stores the elements " \
             "elsewhere; get into an array without one, then assign that")
}

# At the procedure's end gfortran 12 looks for the components of such a scalar not in the coarray but from its
# descriptor on. How far each is from there the dump does not say, but two arrays before it have 144 bytes at least,
# where a descriptor with what the linker leaves behind it has 96.
/^__builtin_free \(\(void \*\) [a-z_0-9]+\.[a-z_0-9.]+\.data\);/ {
    d = substr($4, 1, index($4, ".") - 1)
    if (d in declared && is_scalar(d) && ++arrays[d] > 2) {
        place = declared[d]
        warn("a local scalar coarray of a type with three or more allocatable arrays: at the procedure's end " \
             "gfortran frees what lies elsewhere; give it a dimension, (:)[:]")
    }
}
/_gfortran_caf_deregister \(&[a-z_0-9]+\.token, / {
    match($0, /&[a-z_0-9]+/)
    delete arrays[substr($0, RSTART + 1, RLENGTH - 1)]
}

# A component copied into a coarray is registered with a size that is computed in the other branch, which follows. In an
# object that is as its type says, type.N or a copy of that, there are none.
match($0, /(^| )(D|source)\.[0-9]+ = /) {
    d = substr($0, RSTART, RLENGTH - 3)
    sub(/ /, "", d)
    computed[d] = 1
    value = substr($NF, 1, length($NF) - 1)
    if (value in initial || value ~ /^[a-z_][a-z_0-9]*\.[0-9]+$/ && value !~ /^source/)
        initial[d] = 1
}
/(^| )if \(.*\(void \*\) .* != 0B\)$/ { copied = match($0, /D\.[0-9]+/) ? substr($0, RSTART, RLENGTH) : "" }
/_gfortran_caf_register \(MAX_EXPR <[^,]*D\.[0-9]+[^,]*, 1>, 1, / {
    match($0, /D\.[0-9]+/)
    if (!(substr($0, RSTART, RLENGTH) in computed) && !(copied in initial))
        warn("allocatable components copied with their object into a coarray: gfortran does not compute their size; " \
             "copy the components one by one")
}

/^SAVE_EXPR <\*/ {
    warn("an assignment to a static scalar coarray of type complex: gfortran loses it; make it allocatable")
}

# gfortran begins a procedure with this for each local coarray, in memory that all its invocations share.
/^[a-z_0-9]+\.token = 0B;/ {
    of_procedure[place] = 1
    declared[substr($1, 1, index($1, ".") - 1)] = place
    next
}
/^ / && procedure != "" && match($0, procedure " \\(") && substr($0, RSTART - 1, 1) !~ /[A-Za-z0-9_.]/ {
    for (place in of_procedure)
        warn("a local allocatable coarray of a recursive procedure: its invocations share it; declare it in the module")
}

END {
    end_procedure()
    exit error && warned
}
