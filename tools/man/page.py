"""Writes the page of a family of routines, or of a whole header."""

import re

import headers
import mdoc

PLACES = {"TYPENAME": "type", "SIZE": "size"}


def argument_name(declaration):
    return re.search(r"(\w+|\.\.\.)$", declaration)[1]


class Writer:
    """What all pages share."""

    def __init__(self, chapters, everywhere, generics, procedures, examples, constants, date):
        self.chapters, self.everywhere, self.generics = chapters, everywhere, generics
        self.procedures, self.examples, self.date = procedures, examples, date
        families = [family for chapter in chapters for family in chapter.families]
        self.pages = {name: family.page for family in reversed(families) for name in self.names(family)}
        self.constants = constants
        for example in examples:
            for name in set(example.pages) - {family.page for family in families} - {"shmemx", "shcoll"}:
                raise headers.Wrong(f"{example.path}: there is no page {name}")

    def names(self, family):
        """All names by which a program or a reader may call the family's routines."""
        names = {*family.names, *family.concrete()}
        return names | {self.generics[routine.name] for routine in family.routines if routine.name in self.generics
                        and (routine.types or not routine.name.startswith("shmem_ctx_"))}

    def fortran_of(self, family):
        called = {routine.name for routine in family.routines}
        called |= {self.generics[name] for name in called if name in self.generics}
        return [procedure for procedure in self.procedures if procedure.name in called
                and (procedure.specific.replace("shmemf_", "shmem_") in called or procedure.name in self.names(family))]

    # --- a family -----------------------------------------------------------------------------------------------------

    def family(self, family):
        self.marker = mdoc.Marker(self.pages, self.constants)
        self.own = self.names(family)
        declarations = [argument for routine in family.routines for argument in routine.arguments]
        declarations.sort(key=lambda declaration: declaration != "shmem_ctx_t ctx")
        self.arguments = {}
        for declaration in declarations:
            if declaration not in ("void", "..."):
                self.arguments.setdefault(argument_name(declaration), declaration)
        names = [f".Nm {name} ," for name in family.names]
        names[-1] = names[-1].removesuffix(" ,")
        lines = [f".Dd {self.date}", f".Dt {family.page.upper()} 3", ".Os Copal",
                 ".Sh NAME", *names, f".Nd {family.purpose}",
                 ".Sh LIBRARY", "OpenSHMEM (libshmem,", ".Fl lshmem ) ;", ".Xr oshcc 1", "links it.",
                 ".Sh SYNOPSIS", *self.synopsis(family),
                 ".Sh DESCRIPTION", *self.paragraphs(family.comment.text or [sentence_of(family.purpose)]),
                 *self.argument_list(family), *self.types(family)]
        lines += self.section("ON RETURN", family, "On return") + self.section("RETURN VALUES", family, "Returns")
        lines += self.example(family)
        lines += self.section("ERRORS", family, "Errors") + self.section("DEPRECATED", family, "Deprecated")
        if self.fortran_of(family):
            lines += self.section("FORTRAN", family, "Fortran")
        notes = self.said(family, "Notes") + family.chapter.comment.text
        if notes:
            lines += [".Sh NOTES", *self.paragraphs(notes)]
        lines += self.see_also(family)
        plural = "s" if re.search(", | to ", family.section) else ""
        lines += [".Sh STANDARDS", f"OpenSHMEM 1.6, section{plural} {family.section}."]
        if family.since:
            lines += [".Sh HISTORY", f"In OpenSHMEM {family.since}."]
        return "\n".join(lines) + "\n"

    def said(self, family, section):
        found = []
        for comment in (family.comment, family.chapter.comment, self.everywhere):
            found = comment.sections.get(section, []) + found
            if found and found[0].startswith("None"):
                break    # whatever is said for all
        return found

    def paragraphs(self, texts):
        lines = []
        for text in texts:
            first = re.match(r"\w+", text)
            if not first or first[0] not in {*self.arguments, *self.own}:
                text = text[0].upper() + text[1:]
            lines += [".Pp", *self.marker.prose(text, self.own, set(self.arguments))]
        return lines[1:]

    def section(self, title, family, word):
        texts = self.said(family, word)
        return [f".Sh {title}", *self.paragraphs(texts)] if texts else []

    def synopsis(self, family):
        lines = [".In shmem.h"]
        current = [routine for routine in family.routines if not routine.deprecated]
        old = [routine for routine in family.routines if routine.deprecated]
        typed = [routine for routine in current if routine.name in self.generics
                 and (routine.types or routine.name != self.generics[routine.name])]
        typed += [routine for routine in old if routine.name in self.generics and routine.types and not current]
        if typed:
            lines += [".Ss For all types, in C11 and C++" if typed[0].types else ".Ss C11 and C++"]
            for routine in typed:
                lines += mdoc.prototype(routine.result, self.generics[routine.name], routine.arguments)
        for title, routines in (("C", current), ("C, deprecated", old)):
            if routines:
                lines += [f".Ss {title}"] * (bool(typed) or title != "C" or bool(self.fortran_of(family)))
                for routine in routines:
                    lines += mdoc.prototype(routine.result, routine.name, routine.arguments)
        procedures = self.fortran_of(family)
        if procedures:
            lines += [".Ss Fortran", *mdoc.literal(fortran_text(procedures))]
        return lines

    def argument_list(self, family):
        lines = []
        for name, declaration in self.arguments.items():
            for comment in (family.comment, family.chapter.comment, self.everywhere):
                if name in comment.arguments:
                    lines += [f".It Fa {mdoc.quoted(declaration)}",
                              *self.marker.prose(sentence_of(comment.arguments[name]), self.own, set(self.arguments))]
                    break
            else:
                raise headers.Wrong(f"{family.page}: nothing says what the argument {name} is")
        unknown = set(family.comment.arguments) - set(self.arguments)
        if unknown:
            raise headers.Wrong(f"{family.page}: no routine has an argument {', '.join(sorted(unknown))}")
        return [".Sh ARGUMENTS", ".Bl -tag -width Ds", *lines, ".El"] if lines else []

    def types(self, family):
        """What TYPENAME and SIZE stand for; one list for the routines that share it."""
        lists = {}
        for routine in family.routines:
            if routine.types:
                short = routine.name.removeprefix("shmem_").removeprefix("ctx_")
                lists.setdefault(tuple(routine.types), []).append(short)
        lines = []
        for rows, names in lists.items():
            names = list(dict.fromkeys(names))
            if rows[0][0] is None:
                lines += [".Pp", f"SIZE is the number of bits of an element: {listed([n for _, n in rows], 'or')}."]
                if any(routine.name.endswith("mem") for routine in family.routines):
                    lines.append("In Fortran it may also be mem, for bytes.")
                continue
            which = "" if sum(1 for r in lists if r[0][0]) == 1 else f" in the names {listed(names, 'and')}"
            words = [n if n == t else f"{n} ({t})" for t, n in rows]
            lines += [".Pp", *mdoc.filled(f"TYPENAME{which} is one of these words, and TYPE is the same, or what "
                                          f"stands in brackets: {', '.join(words)}.")]
        return [".Sh TYPES", *lines[1:]] if lines else []

    def example(self, family):
        found = [example for example in self.examples if family.page in example.pages]
        if not found:
            raise headers.Wrong(f"{family.page}: no example in examples/man names it in its line /* man: ... */")
        lines = [".Sh EXAMPLES"]
        for example in found:
            if not self.names(family) & set(re.findall(r"\w+", example.code)):
                raise headers.Wrong(f"{example.path} does not call {family.page}")
            lines += mdoc.literal(example.code) + [".Pp", f"{example.run} prints:"]
            lines += mdoc.literal("\n".join(example.prints))
        return lines

    def see_also(self, family):
        pages = {(page, section) for page, section in self.marker.seen if page != family.page}
        pages |= {(other.page, "3") for other in family.chapter.families if other.page != family.page}
        pages |= {("shmem", "7")}
        ordered = sorted(pages, key=lambda page: (page[1], page[0].lower()))
        lines = [f".Xr {page} {section} ," for page, section in ordered]
        return [".Sh SEE ALSO", *lines[:-1], lines[-1].removesuffix(" ,")]


def sentence_of(text):
    return text if text.endswith(".") else text + "."


def listed(words, conjunction):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


# --- Fortran ----------------------------------------------------------------------------------------------------------

def fortran_text(procedures):
    """The procedures; what they declare stands below all that declare the same."""
    by_name, alike = {}, {}
    for procedure in procedures:
        by_name.setdefault(procedure.name, []).append(procedure)
    for name, same in by_name.items():
        longest = sorted(same, key=lambda procedure: -len(procedure.declarations))
        declarations = list(dict.fromkeys(d for procedure in longest for d in procedure.declarations))
        result = next((d for d in declarations if d.endswith(f":: {name}")), "")
        headings = [f"{result.split(' ::')[0]} {p.heading}" if result else p.heading for p in same]
        alike.setdefault(tuple(d for d in declarations if d != result), []).extend(headings)
    lines = ["use shmem"]
    for declarations, headings in alike.items():
        lines += ["", *(line for heading in headings for line in broken(heading))]
        lines += [f"    {line}" for declaration in declarations for line in broken(declaration)]
    return "\n".join(lines)


def broken(text):
    """A statement in lines that fit on a terminal."""
    lines = []
    while len(text) > 68:
        at = text.rindex(", ", 0, 66) + 1
        lines.append(text[:at] + " &")
        text = "    " + text[at:].lstrip()
    return [*lines, text]
