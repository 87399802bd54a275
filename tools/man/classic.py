"""Reads the line about the classic Fortran interface, shmem.fh, in a family's comment:

    Classic: shmem_KIND_put, shmem_putWIDTH(dest, source, nelems, pe); integer function shmem_my_pe()

A word in capitals stands for several words. The family's comment or the chapter's comment lists these words, like an
argument's explanation. Text in brackets explains the word before it, and "nothing" is the empty word:

    WIDTH: 4, 8 (bytes), 32 (bits) or nothing (64 bits)"""

import re
import typing

import headers

ABOUT = ("The interface of shmem.fh was deprecated by OpenSHMEM 1.4, and is not in 1.5.  Its counts, strides and PEs "
         "are default integers.")


class Group(typing.NamedTuple):
    """Procedures with the same arguments."""
    result: str              # of functions, otherwise empty
    names: list              # shmem_KIND_put
    arguments: str


def groups(texts):
    found = []
    for entry in "; ".join(text.removesuffix(".") for text in texts).split("; ") if texts else ():
        match = re.fullmatch(r"(?:(.+) function )?(\w+(?:, \w+)*)\(([\w, ]*)\)", entry)
        if not match:
            raise headers.Wrong(f'"Classic: " begins a text such as "shmem_KIND_put, my_pe(dest, pe)", not "{entry}"')
        found.append(Group(match[1] or "", match[2].split(", "), match[3]))
    return found


def placeholders(found):
    """The words in capitals of some groups, in their order."""
    return list(dict.fromkeys(re.findall("[A-Z]{2,}", " ".join(name for group in found for name in group.names))))


def words(meaning):
    """The meaning of a word in capitals."""
    listed = re.split(r", | or ", re.sub(r" \(.*?\)", "", meaning.removesuffix(".")))
    return ["" if word == "nothing" else word for word in listed]


def names(found, meanings):
    """All procedures; meanings: the explanations of the words in capitals."""
    for name in (name for group in found for name in group.names):
        spelled = [name]
        for word in placeholders([Group("", [name], "")]):
            spelled = [one.replace(word, value) for one in spelled for value in words(meanings[word])]
        yield from (re.sub("__", "_", one) for one in spelled)


def statements(found):
    """The calls or declarations of procedures."""
    return [f"{group.result} function {name}({group.arguments})" if group.result else
            f"call {name}" + (f"({group.arguments})" if group.arguments else "")
            for group in found for name in group.names]
