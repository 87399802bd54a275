# The interface to the coarray library depends on the compiler's version: each version of the interface has a library.
wanted="gfortran 12 to 16, flang 22 or 23"
said=$($compiler --version 2>&1)
said=${said%%"
"*}
case $said in
'GNU Fortran ('*')'*) is=${said#GNU Fortran (*) } family=gfortran ;;
*flang*' version '[0-9]*) is=${said##* version } family=flang ;;
*) fail "the compiler '$compiler' is neither gfortran nor flang; set CAF_FC to one of $wanted" ;;
esac
is=${is%% *}
coarray=-fcoarray=lib library=
case $family-${is%%.*} in
gfortran-1[234]) library=caf_gfortran12 ;;
gfortran-1[56]) library=caf_gfortran${is%%.*} ;;
flang-2[23]) library=prif_copal coarray=-fcoarray ;;
*)
    fail "the compiler '$compiler' is $family $is, and Copal does not know the interface of its coarrays;" \
        "set CAF_FC to one of $wanted"
    ;;
esac
[ -e "$libdir/lib$library.so" ] ||
    fail "lib$library.so, for $family ${is%%.*}, is not in $libdir, where this installation should have it"
# mimalloc from the build, or else from this machine. Copal also works without it.
mimalloc="@COPAL_MIMALLOC@" allocator=
[ -e "$mimalloc" ] || mimalloc=$($compiler -print-file-name=libmimalloc.so)
case @sanitizer_brings_malloc@$mimalloc in
/*) allocator=-Wl,--push-state,--no-as-needed,$mimalloc,--pop-state ;;    # reaches only the linker, even after -x
esac
if [ $family = flang ]; then
    flags=$coarray libraries="@COPAL_FLANG_LIBRARIES@"
else
    flags="$coarray $flags" libraries="@COPAL_GFORTRAN_LIBRARIES@"
    specs=$libdir/copal/caf.specs plugin=$libdir/copal/caf_plugin_${is%%.*}.so
fi
verbose=
for argument do
    shift
    word=
    case $argument in
    -fcoarray=lib) [ $family = gfortran ] || continue ;;
    -fcoarray=* | -fno-coarray)
        fail "$argument makes a program without Copal: caf compiles by $coarray by itself; leave $argument out" ;;
    -l"$library" | */lib"$library".so | lib"$library".so) ;;
    -lcaf_* | -lprif_copal | -lcaffeine* | */libcaf_*.a | */libcaf_*.so | libcaf_*.a | libcaf_*.so | *libcaffeine*.a)
        fail "$argument is another coarray library, but caf links -l$library; leave $argument out" ;;
    -v | --show | -show | -showme | --showme) verbose=yes ;;
    -pipe)    # in a pipe, gfortran uses -wrapper only for the first program
        [ $library = caf_gfortran12 ] || continue ;;
    -fnear | -fno-near) word=${argument#-f} ;;
    -fcaf-bounds | -fcaf-report) word=${argument#-fcaf-} ;;
    -fno-caf-bounds) word=no-bounds ;;
    -Wcaf) word=warn ;;
    -Wno-caf) word=no-warn ;;
    -Werror=caf) word=error ;;
    -Wno-error=caf) word=no-error ;;
    esac
    if [ -n "$word" ]; then
        told="$told -fplugin-arg-caf_plugin_${is%%.*}-$word"
    else
        set -- "$@" "$argument"
    fi
done

# Compiles a coindexed access, which the plugin reports if it is loaded.
try() {
    printf 'integer, save :: a[*]\na[1] = 2\nend\n' |
        LC_ALL=C $compiler $coarray -O1 -fno-sanitize=all "$@" -S -x f95 -ffree-form - -o /dev/null 2>&1
}

# Whether the plugin works in this compiler. The result is valid for these files of f951 and the plugin. It is cached
# in the first possible folder that only this user can change.
plugin_works() {
    f951=$($compiler -print-prog-name=f951)
    case $f951 in
    */../*) f951=$(readlink -f -- "$f951") ;;
    /*) ;;
    *) return 1 ;;
    esac
    answer= kept= key=none home=
    [ ! -d "$HOME" ] || home=$HOME/.cache
    for folder in ${XDG_CACHE_HOME:+"$XDG_CACHE_HOME/copal/caf"} ${home:+"$home/copal/caf"} ""; do
        [ -n "$folder" ] || folder=${TMPDIR:-/tmp}/copal-caf-$(id -u)
        [ -d "$folder" ] || mkdir -p -m 700 -- "$folder" || continue
        set -- $(stat -L -c '%a %s %.Y' -- "$folder" "$f951" "$plugin")
        if [ "$1" = 700 ] && [ -O "$folder" ] && [ -w "$folder" ] && [ ! -L "$folder" ]; then
            answer=$folder$plugin$f951 key="$5 $6 $8 $9 $said"
            break
        fi
    done 2>/dev/null
    [ ! -f "$answer" ] || read -r kept <"$answer"
    case $kept in
    "works: $key") return 0 ;;
    "does not work: $key") return 1 ;;
    esac
    case $(try -fplugin="$plugin" -fplugin-arg-caf_plugin_${is%%.*}-report && echo compiled) in
    *:2:*compiled) kept="works: $key" ;;
    *) try >/dev/null && kept="does not work: $key" || return 1 ;;    # if this fails too, no compilation works now
    esac
    [ -z "$answer" ] ||
        { mkdir -p -- "${answer%/*}" && echo "$kept" >"$answer.$$" && mv -f -- "$answer.$$" "$answer"; } 2>/dev/null
    [ "$kept" = "works: $key" ]
}

without=
if [ -n "$plugin" ] && [ ! -e "$plugin" ]; then
    without="is not there"
elif [ -n "$plugin" ] && ! plugin_works; then
    without="does not work with $said"
fi
if [ -n "$without" ]; then
    [ -z "$verbose" ] || echo "caf: $plugin $without: coindexed accesses within a node are calls" >&2
    plugin=
    case $library in
    caf_gfortran1[56]) steps=$libdir/copal/step.sh ;;
    esac
fi
[ -n "$plugin" ] || told=

# Ends caf with an error if coarrays in objects or archives were compiled for the library of another compiler.
check_objects() {
    for argument do
        shift
        case $argument in
        -*) ;;
        *.o | *.a | *.lo) [ ! -f "$argument" ] || set -- "$@" "$argument" ;;
        esac
    done
    [ $# -gt 0 ] && command -v readelf >/dev/null || return 0
    wrong=$(LC_ALL=C readelf -W --syms --string-dump=.comment -- "$@" 2>/dev/null |
        awk -v library=$library -v name="$1" -f "$libdir/copal/objects.awk")
    [ -z "$wrong" ] || fail "$wrong; compile all of the program by caf with one compiler, now $family ${is%%.*}"
}
