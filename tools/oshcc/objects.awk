# Reads readelf's output about the symbols and the compiler of objects, and prints an error for the first object whose
# coarrays are not for the library that caf links with.  readelf omits the name of a single file.

function version_of(line) {    # "GCC: (Debian 15.3.0-5) 15.3.0"
    sub(/.*\) /, "", line)
    return int(line)
}

function library_of(version) {
    return version >= 15 ? "caf_gfortran" version : "caf_gfortran12"
}

function judge(    wrong, version, fits) {
    if (old)
        wrong = library == "caf_gfortran12" ? "" : "gfortran 12 to 14"
    else if (prif)
        wrong = library == "prif_copal" ? "" : "flang"
    else if (calls) {
        for (version in versions)
            fits = fits || library_of(version) == library
        for (version in versions)
            if (!fits)
                wrong = "gfortran " version
    } else if (main && fortran)
        wrong = "-"
    if (wrong == "-")
        wrong = name " has a main program that was compiled without coarrays, or by -fcoarray=single"
    else if (wrong)
        wrong = name " was compiled by " wrong ", whose coarrays have another interface"
    if (wrong) {
        print wrong
        done = 1
        exit
    }
    old = prif = calls = main = fortran = 0
    split("", versions)
}

/^File: / {
    judge()
    name = substr($0, 7)
}
/ GCC: \(/ { versions[version_of($0)] = 1 }
$7 != "UND" && $8 == "main" && $4 == "FUNC" { main = 1 }
$7 == "UND" && $8 ~ /^_gfortran_caf_/ {
    calls = 1
    if ($8 ~ /^_gfortran_caf_(get|send|sendget|get_by_ref|send_by_ref|sendget_by_ref|is_present)$/)
        old = 1
}
$7 == "UND" && $8 ~ /^_QMprifPprif_/ { prif = 1 }
$7 == "UND" && $8 ~ /^(_gfortran_set_options|_FortranAProgramStart)$/ { fortran = 1 }

END {
    if (!done)
        judge()
}
