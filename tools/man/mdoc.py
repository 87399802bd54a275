"""Converts plain English and code to mdoc(7), the language of man pages."""

import re
import textwrap

TOOLS = {"oshrun", "cafrun", "oshcc", "oshfort", "copal-tune", "copal-info"}
# Names of arguments that are also English words: they are not marked in sentences.
WORDS = {"value", "signal", "name", "level", "start", "size", "count", "options", "lock", "team", "stride", "hints",
         "status", "alignment", "requested", "provided", "initialized", "config", "fetch", "major", "minor", "npes"}
TOKEN = re.compile(r"(?<![\w*\[/.`-])([A-Za-z_]\w*(?:-[a-z]+)?|`[^`]+`)(\(\d\w*\))?(?![\w\[*/-])")


class Marker:
    """Marks routines, constants, variables and arguments in a sentence."""

    def __init__(self, pages, constants):
        self.pages, self.constants = pages, constants    # name -> page; names of shmem.h
        self.seen = set()                                # pages referred to

    def macro(self, word, section, own, arguments):
        if word.startswith("`"):
            return f"Ql {word.strip('`')}"
        if section:
            self.seen.add((word, section.strip("()")))
            return f"Xr {word} {section.strip('()')}"
        if word in own:
            return f"Fn {word}"
        if word in self.pages:
            self.seen.add((self.pages[word], "3"))
            return f"Xr {word} 3"
        if word in TOOLS:
            self.seen.add((word, "1"))
            return f"Xr {word} 1"
        if word in self.constants or word in ("NULL", "SIZE_MAX"):
            return f"Dv {word}"
        if re.fullmatch(r"(SHMEM|SHCOLL|COPAL)_[A-Z_]*[A-Z]", word):
            return f"Ev {word}"
        return f"Fa {word}" if word in arguments - WORDS else None

    def prose(self, text, own=(), arguments=frozenset()):
        """Lines of mdoc for a paragraph: each sentence begins a line, and so does each macro."""
        lines = []
        for sentence in re.split(r"(?<=[A-Za-z0-9_)][.:;]) +(?=[A-Z*])", text):
            lines += self.sentence(sentence, own, arguments)
        return lines

    def sentence(self, text, own, arguments):
        lines, plain, at = [], "", 0
        for match in TOKEN.finditer(text):
            macro = self.macro(match[1], match[2], own, arguments)
            if not macro or match.start() < at:
                continue
            before, after = re.search(r"[(]*$", text[:match.start()])[0], re.match(r"[.,:;)?!]*", text[match.end():])[0]
            if not re.match(r"\s|$", text[match.end() + len(after):]) or \
                    not re.search(r"(\s|^)[(]*$", text[:match.start()]):
                continue
            plain = text[at:match.start() - len(before)]
            lines += filled(plain)
            name, *words = macro.split(" ")
            lines.append(" ".join(["." + name, *before, *words, *after]))
            at = match.end() + len(after)
        return lines + filled(text[at:])


def filled(text):
    return [escaped(line) for line in textwrap.wrap(text.strip(), 78, break_on_hyphens=False, break_long_words=False)]


def escaped(text):
    text = text.replace("\\", "\\e")
    return "\\&" + text if text[:1] in (".", "'") else text


def literal(text):
    return [".Bd -literal", *(escaped(line) for line in text.strip("\n").split("\n")), ".Ed"]


def references(pages):
    """The list of a section SEE ALSO, of (name, section)."""
    lines = [f".Xr {page} {section} ," for page, section in sorted(pages, key=lambda p: (p[1], p[0].lower()))]
    return [*lines[:-1], lines[-1].removesuffix(" ,")]


def quoted(words):
    return f'"{words}"' if " " in words else words


def prototype(result, name, arguments):
    lines = [f".Ft {quoted(result)}"]
    if not arguments or arguments == ["void"]:
        return [*lines, f".Fn {name} void"]
    return [*lines, f".Fo {name}", *(f".Fa {quoted(argument)}" for argument in arguments), ".Fc"]
