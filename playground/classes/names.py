"""Draw codes of classes and names of students, and check those that people type."""

from __future__ import annotations

import itertools
import re
import secrets
import unicodedata
from collections.abc import Collection

from playground.errors import PlaygroundError, problem

#: No I, L, O, Q, U or V: on a projector they look like another letter. 3.2 million codes.
CODE_LETTERS = "ABCDEFGHJKMNPRSTWXYZ"
CODE_LENGTH = 5
MOST_NAME_CHARACTERS = 24
_MOST_MARKS_TOGETHER = 2
_COLORS = (
    "Amber", "Azure", "Bronze", "Coral", "Crimson", "Emerald", "Golden", "Indigo", "Ivory", "Jade", "Lilac", "Olive",
    "Ruby", "Silver", "Teal", "Violet",
)  # fmt: skip
_BIRDS = (
    "Avocet", "Bittern", "Condor", "Crane", "Curlew", "Dunlin", "Egret", "Falcon", "Finch", "Gannet", "Godwit", "Grebe",
    "Heron", "Ibis", "Kestrel", "Linnet", "Magpie", "Osprey", "Petrel", "Plover", "Puffin", "Robin", "Siskin", "Stork",
    "Swift", "Tern", "Wagtail", "Wren",
)  # fmt: skip


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def typed_code(text: str) -> str:
    """Return a code as it was drawn, however a user typed it; empty for what cannot be one."""
    found = re.sub(r"[\s.-]", "", text[:40]).upper()
    return found if len(found) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in found) else ""


def drawn_name(taken: Collection[str]) -> str:
    """Draw a name that nobody in the class has."""
    free = [f"{color} {bird}" for color in _COLORS for bird in _BIRDS if f"{color} {bird}" not in taken]
    if free:
        return secrets.choice(free)
    number = 2
    while (name := f"{secrets.choice(_COLORS)} {secrets.choice(_BIRDS)} {number}") in taken:
        number += 1
    return name


def typed_name(text: str, *, path: str = "name") -> str:
    """Return a name as it is shown. Raises PlaygroundError for one that is too long or would disturb a page."""
    return typed_line(text, path=path, most=MOST_NAME_CHARACTERS)


def typed_line(text: str, *, path: str, most: int) -> str:
    """Return a line of text without needless spaces. Raises PlaygroundError for characters that are no text."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    allowed = f"1 to {most} characters, without control or direction characters"
    if not 1 <= len(name) <= most:
        said = "is empty" if not name else f"has {len(name)} characters"
        raise _refused(path, said, allowed)
    marks = 0
    for letter in name:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind.startswith("C") or marks > _MOST_MARKS_TOGETHER:
            raise _refused(path, f"holds the character U+{ord(letter):04X}, which cannot be shown", allowed)
    return name


def _refused(path: str, message: str, allowed: str) -> PlaygroundError:
    item = problem(path, message, allowed=allowed, remedy="type another one")
    return PlaygroundError(422, "invalid-request", f"This {path} cannot be used", (item,))


def told_apart(name: str, taken: Collection[str]) -> str:
    """Return a name that nobody else in the class has: namesakes get a number, as in `Ada 2`."""
    if name not in taken:
        return name
    for number in itertools.count(2):
        end = f" {number}"
        other = f"{name[: MOST_NAME_CHARACTERS - len(end)].rstrip()}{end}"
        if other not in taken:
            return other
    raise AssertionError  # a class has an end
