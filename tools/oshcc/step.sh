# If the plugin does not work, gfortran 15 and 16 run each compiler, assembler and linker by this script (-wrapper).
#
#     sh step.sh PROGRAM ARGUMENT...

# gfortran 15 and 16 use a word for each coindexed access: the number of its accessor, or -1 until the number is known.
# They do not define the word of a put in a module's procedure. This function defines the missing words.
missing_words() {
    LC_ALL=C awk '
        {
            for (rest = $0; match(rest, /__caf_[a-z_]*_fn_index[A-Za-z0-9_.]*/); rest = substr(rest, RSTART + RLENGTH))
                used[substr(rest, RSTART, RLENGTH)] = 1
        }
        /^[A-Za-z_][A-Za-z0-9_.]*:/ { defined[substr($0, 1, index($0, ":") - 1)] = 1 }
        END {
            print "\t.data\n\t.balign 4"
            for (word in used)
                if (!(word in defined))
                    print word ":\n\t.long -1"
        }' "$1"
}

case $1 in
*f951)    # as in plugin_init
    case " $* " in
    *" -ffrontend-optimize "*) ;;
    *) set -- "$@" -fno-frontend-optimize ;;
    esac ;;
as | */as | *-as)
    for argument do
        case $argument in
        *.[sS]) source=$argument ;;
        esac
    done
    if [ -f "$source" ] && LC_ALL=C grep -q '__caf_[a-z_]*_fn_index' -- "$source"; then
        words=$(mktemp) && trap 'rm -f -- "$words"' EXIT
        missing_words "$source" >"$words"
        "$@" "$words"
        exit
    fi ;;
esac
exec "$@"
