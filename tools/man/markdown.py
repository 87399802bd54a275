"""Converts pages of docs/ to pages of the manual.

A page for the manual has a comment below its title, then the synopsis:

    <!-- man: oshrun(1), cafrun(1): start an OpenSHMEM job or a coarray program -->

    ```text
    oshrun -n N [options] program [arguments]
    ```

Headings become sections, and tables become lists. SEE ALSO lists its links to pages of the manual."""

import re
import typing

import headers
import mdoc

HEAD = re.compile(r"(?ms)^<!-- man: (.*?): (.*?) -->\n\n```text\n(.*?)```\n")
BLOCK = re.compile(r"(?m)^```.*\n(?P<fence>(?:(?!```).*\n)*)```$|^(?P<heading>##+) (?P<title>.*)|"
                   r"(?P<table>(?:^\|.*\n?)+)|(?P<display>^    .*\n(?:(?:    .*)?\n)*)|"
                   r"(?P<list>(?:^(?:- |\d+\. |  +).*\n?)+)|(?P<text>(?:^(?![|#]|```|- |\d+\. |\n).+\n?)+)")
SPAN = re.compile(r"(?P<tick>`+)(?P<code>.+?)(?P=tick)|\[(?P<label>(?:[^\]\[]|`[^`]*`)+)\]\((?P<target>[^)\s]+)\)|"
                  r"\*\*(?P<strong>[^*]+)\*\*|(?<!\w)\*(?P<stress>[^*\s][^*]*)\*(?!\w)")


class Source(typing.NamedTuple):
    names: list          # (name, section); the first is the page's own
    purpose: str
    synopsis: str
    body: str


def read(path):
    """A page of docs/ for the manual; None if it is not in the manual."""
    text = path.read_text()
    if not re.search(r"(?m)^<!-- man:", text):
        return None
    head = HEAD.search(text)
    names = re.findall(r"([\w+-]+)\((\d)\)", head[1]) if head else []
    if not names:
        raise headers.Wrong(f"{path}: below its title a page has <!-- man: NAME(SECTION): purpose -->, an empty line, "
                            f"and its synopsis in a block of text")
    body = re.sub(r"<!--.*?-->\n?", "", text[text.index("\n") + 1:head.start()] + text[head.end():], flags=re.S)
    return Source(names, head[2], head[3], body)


class Page:
    def __init__(self, source, pages, routines, date):
        self.source, self.date = source, date
        self.pages = pages                   # file in docs/ -> its names in the manual
        self.routines = routines             # name -> page of section 3
        self.seen = set()

    def text(self):
        name, section = self.source.names[0]
        names = [f".Nm {name} ," for name, _ in self.source.names]
        names[-1] = names[-1].removesuffix(" ,")
        return "\n".join([f".Dd {self.date}", f".Dt {name.upper()} {section}", ".Os Copal", ".Sh NAME", *names,
                          f".Nd {self.source.purpose}", ".Sh SYNOPSIS", *mdoc.literal(self.source.synopsis),
                          ".Sh DESCRIPTION", *self.blocks(), *self.see_also()]) + "\n"

    def see_also(self):
        seen = self.seen | {("shmem", "7")} - {self.source.names[0]}
        return [".Sh SEE ALSO", *mdoc.references(seen)]

    def blocks(self):
        lines = []
        for block in BLOCK.finditer(self.source.body):
            kind = "heading" if block["heading"] else block.lastgroup
            lines += getattr(self, f"of_{kind}")(block)
        # Neither a section nor a list begins with an empty line.
        return [line for before, line in zip([".Sh", *lines], lines)
                if not (line == ".Pp" and before.startswith((".Sh", ".Ss")))]

    def of_heading(self, block):
        title = block["title"].replace("`", "")
        return [f".Sh {title.upper()}" if block["heading"] == "##" else f".Ss {title}"]

    def of_fence(self, block):
        return mdoc.literal(block["fence"])

    def of_display(self, block):
        return mdoc.literal(re.sub(r"(?m)^    ", "", block["display"]))

    def of_text(self, block):
        return [".Pp", *self.prose(block["text"])]

    def of_list(self, block):
        kind = "bullet" if block["list"].startswith("-") else "enum"
        items = re.split(r"(?m)^(?:- |\d+\. )", block["list"])[1:]
        return [f".Bl -{kind}", *(line for item in items for line in (".It", *self.prose(item))), ".El"]

    def of_table(self, block):
        """A table as a list: the first column's entries with the second column. If the table has more columns, the
        purpose comes first, then the other columns with their headings."""
        head, _, *rows = ([cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
                          for row in block["table"].strip().split("\n"))
        lines = []
        for first, *rest in rows:
            lines.append(" ".join([".It", *self.words(first)]))
            cells = [(heading, cell) for heading, cell in zip(head[1:], rest) if cell]
            for heading, cell in sorted(cells, key=lambda cell: cell[0] != "what it does"):
                alone = len(head) == 2 or heading == "what it does"
                lines += self.prose(cell if alone else f"{heading[:1].upper()}{heading[1:]}: {cell}")
                if len(head) > 2 and lines[-1][-1] not in ".:;":
                    lines[-1] += " ." if lines[-1].startswith(".") else "."
        return [".Bl -tag -width Ds", *lines, ".El"]

    # --- within a paragraph -------------------------------------------------------------------------------------------

    def prose(self, text):
        """Writes each sentence, and each marked word in it, on its own line."""
        text, lines = re.sub(r"\s+", " ", text).strip(), []
        marked = [span.span() for span in SPAN.finditer(text)]
        ends = [end.start() for end in re.finditer(r"(?<=[A-Za-z0-9_)`][.:;]) (?=[A-Z*`\[])", text)
                if not any(first < end.start() < last for first, last in marked)]
        for start, end in zip([0, *ends], [*ends, len(text)]):
            sentence, plain = text[start:end].strip(), []
            for word in self.split(sentence):
                if len(word) == 1 and word[0][0] is None:
                    plain.append(word[0][1])
                    continue
                if sum(macro is not None for macro, _ in word) > 1:    # quotes of Ql would extend to the line's end
                    word = [("Cm" if macro == "Ql" else macro, text) for macro, text in word]
                lines += mdoc.filled(" ".join(plain)) + ["." + " ".join(self.macro(word))]
                plain = []
            lines += mdoc.filled(" ".join(plain))
        return lines

    def words(self, text):
        """The arguments of one macro."""
        arguments, words = [], self.split(re.sub(r"\s+", " ", text).strip())
        for before, word in zip([None, *words], words):
            calls = self.macro([("Cm" if macro == "Ql" else macro, text) for macro, text in word])
            goes_on = calls[0] == "No" and before and len(before) == 1 and before[0][0] is None
            arguments += calls[1:] if goes_on else calls
        return arguments

    def split(self, text):
        """Splits a text into words. A word is a list of parts (macro or None, text) without spaces between them."""
        words, at = [[]], 0

        def plain(part):
            for index, piece in enumerate(part.split(" ")):
                if index:
                    words.append([])
                if piece:
                    words[-1].append((None, piece))

        for span in SPAN.finditer(text):
            plain(text[at:span.start()])
            at = span.end()
            if span["target"] and not self.reference(span):
                for inner in self.split(span["label"]):
                    words[-1] += inner
                    words.append([])
                words.pop()
            else:
                words[-1].append(self.reference(span) or self.marked(span))
        plain(text[at:])
        return [word for word in words if word]

    def reference(self, span):
        """(Xr, page) if a link is the name of a page of the manual."""
        if not span["target"]:
            return None
        page = self.pages.get(span["target"].partition("#")[0])
        if page:
            self.seen.add(page[0])
            named = next((other for other in page if other[0] == span["label"].strip("`")), None)
            return ("Xr", " ".join(named)) if named and named not in self.source.names else None
        return None

    def marked(self, span):
        code = span["code"]
        if code is None:
            return "Em", span["strong"] or span["stress"]
        if re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", code):
            return "Ev", code
        if (code, self.source.names[0][1]) in self.source.names:
            return "Nm", code
        routine = code.removesuffix("()")
        if routine in self.routines:    # not a call with arguments, which is an example
            self.seen.add((self.routines[routine], "3"))
            return "Xr", f"{routine} 3"
        return ("Cm" if code.startswith("-") else "Ql"), code.strip()

    @staticmethod
    def macro(word):
        """Converts a word to calls of macros. Ns precedes each attached part, except a bracket before the word and
        punctuation after it."""
        parts = []
        for index, (macro, text) in enumerate(word):
            opening = index == 0 and re.fullmatch(r"[(\[]+", text) and len(word) > 1
            closing = index == len(word) - 1 and re.fullmatch(r"[).,:;?!\]]+", text) and len(word) > 1
            pieces = [argument(piece) for piece in text.split(" ")]
            if macro is None and (opening or closing):
                parts.append((None, list(text)))
            else:
                parts.append(("Ns" if index and parts[-1][0] is not None else "", [macro or "No", *pieces]))
        # An opening bracket follows the macro's name.
        if len(parts) > 1 and parts[0][1][0] in "([":
            brackets = parts.pop(0)[1]
            parts[0] = (parts[0][0], [parts[0][1][0], *brackets, *parts[0][1][1:]])
        return [item for glue, items in parts for item in ([glue] if glue else []) + items]


def argument(text):
    """Escapes a word if mdoc would take it for a macro or delimiter."""
    text = text.replace("\\", "\\e").replace('"', "\\(dq")
    if re.search(r"[).,:;?!\]|]$", text) and len(text) > 1:
        return text + "\\&"
    return f"\\&{text}" if re.fullmatch(r"[A-Z%][A-Za-z0-9]{1,2}|[.,:;()\[\]?!|]", text) else text
