# What the library calls and is called by is the compiler's own business, and changes with its versions: each generation
# has a library of its own.
wanted="gfortran 12 to 16, flang 22 or 23"
said=$($compiler --version 2>&1 | head -n 1)
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
    fail "the compiler '$compiler' is $family $is, and its coarrays have another interface than those of any" \
        "that Copal knows; set CAF_FC to one of $wanted"
    ;;
esac
[ -e "$libdir/lib$library.so" ] ||
    fail "lib$library.so, for $family ${is%%.*}, is not in $libdir, where this installation should have it"
allocator="@malloc_library@"
[ -e "@COPAL_MIMALLOC@" ] || allocator=    # it has gone since Copal was built: all works without it, too
[ $family = flang ] || check=$libdir/copal/caf.awk steps=$libdir/copal/step.sh
if [ $family = flang ]; then
    flags=$coarray libraries="@COPAL_FLANG_LIBRARIES@"
else
    flags="$coarray $flags" libraries="@COPAL_GFORTRAN_LIBRARIES@"
fi
# A module file is for compilers that have the format of the one that made it.
case $family-${is%%.*} in
@COPAL_MODULE_READERS@) ;;
*) modules= ;;
esac
optimized=no
for argument do
    case $argument in
    -O0) optimized=no ;;
    -O*) optimized=yes ;;
    esac
    case $argument in
    -fcoarray=lib) ;;
    -pipe)    # of a pipe's programs gfortran has -wrapper run the first alone
        if [ -n "$steps" ]; then
            shift
            continue
        fi ;;
    -fcoarray=* | -fno-coarray)
        fail "$argument makes a program without Copal: caf compiles by $coarray by itself; leave $argument out" ;;
    -l"$library" | */lib"$library".so | lib"$library".so) ;;
    -lcaf_* | -lprif_copal | -lcaffeine* | */libcaf_*.a | */libcaf_*.so | libcaf_*.a | libcaf_*.so | *libcaffeine*.a)
        fail "$argument is another coarray library, and a program has one: caf links -l$library; leave $argument out" ;;
    esac
    shift
    [ "$family$argument" = flang-fcoarray=lib ] || set -- "$@" "$argument"
done

plugin=$libdir/copal/caf_plugin_${is%%.*}.so
[ $family-$optimized != gfortran-yes ] || [ ! -e "$plugin" ] || flags="$flags -fplugin=$plugin"

# Ends the link of objects, and of archives, whose coarrays call another library than that of this compiler.
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
