"""No imports of the library go round in a circle; the picture of its floors is made here.

`python -m tests.core.test_floors` writes the picture into docs/development/design/library.md. Imports inside functions
count as well."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import PROJECT

ROOT = "scheduler_core"
PAGE = PROJECT / "docs" / "development" / "design" / "library.md"
PICTURE = re.compile(r"(<!-- floors of scheduler_core -->\n).*?(<!-- end of floors -->)", re.DOTALL)

Graph = dict[str, set[str]]
"""Whom each one imports."""


class Import(NamedTuple):
    importer: str
    imported: str
    for_types: bool  # under `if TYPE_CHECKING`, so never when the program runs


@functools.cache
def modules() -> dict[str, Path]:
    """Every module but the library's root, which names everything for others."""
    found = {}
    for path in (PROJECT / ROOT).rglob("*.py"):
        parts = path.relative_to(PROJECT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    del found[ROOT]
    return found


@functools.cache
def imports() -> tuple[Import, ...]:
    return tuple(
        Import(name, imported, for_types)
        for name, path in modules().items()
        for imported, for_types in imported_by(ast.parse(path.read_text()), set(modules()))
        if imported != name
    )


def imported_by(node: ast.AST, known: set[str], for_types: bool = False) -> Iterator[tuple[str, bool]]:
    """The modules of `known` that any import inside of a node names."""
    for inside in ast.iter_child_nodes(node):
        if isinstance(inside, ast.ImportFrom) and inside.module is not None:
            for alias in inside.names:
                names = (f"{inside.module}.{alias.name}", inside.module)
                yield from ((name, for_types) for name in names[: 1 if names[0] in known else 2] if name in known)
        elif isinstance(inside, ast.Import):
            yield from ((alias.name, for_types) for alias in inside.names if alias.name in known)
        only_types = isinstance(inside, ast.If) and "TYPE_CHECKING" in ast.unparse(inside.test)
        yield from imported_by(inside, known, for_types or only_types)


def graph(of_module: dict[str, str], *, types: bool) -> Graph:
    """The imports between the parts that modules belong to, with or without those that only types need."""
    found: Graph = {part: set() for part in of_module.values()}
    for importer, imported, for_types in imports():
        one, other = of_module[importer], of_module[imported]
        if one != other and (types or not for_types):
            found[one].add(other)
    return found


def circle(found: Graph) -> list[str]:
    """A circle, from one to itself; empty where there is none."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def folders() -> dict[str, str]:
    """The folder of each module; a module that lies in the library's folder itself stands for itself."""
    return {
        name: name if path.name == "__init__.py" or name.count(".") == 1 else name.rpartition(".")[0]
        for name, path in modules().items()
    }


def parts() -> dict[str, str]:
    """The folder or module right below the library's root that each module belongs to."""
    return {name: name.split(".")[1] for name in modules()}


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) in (["b", "c", "b"], ["c", "b", "c"])


def test_imports_are_found_wherever_they_stand() -> None:
    source = """
from x import b
if TYPE_CHECKING:
    from x.a import Name
class Some:
    def load(self):
        if True:
            import x.c
"""
    assert set(imported_by(ast.parse(source), {"x", "x.a", "x.b", "x.c"})) == {
        ("x.b", False),
        ("x.a", True),
        ("x.c", False),
    }


def test_no_module_imports_itself_by_others() -> None:
    assert circle(graph({name: name for name in modules()}, types=False)) == []


@pytest.mark.parametrize("of_module", [folders, parts])
def test_no_folder_imports_itself_by_others_not_even_for_types(of_module: object) -> None:
    assert callable(of_module)
    assert circle(graph(of_module(), types=True)) == []


def test_nobody_imports_the_roots_names_but_the_command_line() -> None:
    asking = {
        name
        for name, path in modules().items()
        for imported, _ in imported_by(ast.parse(path.read_text()), {ROOT, f"{ROOT}.known"})
        if imported == ROOT
    }
    assert {name.split(".")[1] for name in asking} <= {"cli"}


def test_the_page_shows_the_floors() -> None:
    text = PAGE.read_text()
    assert PICTURE.search(text)
    assert with_picture(text) == text, "run `python -m tests.core.test_floors`"


def with_picture(text: str) -> str:
    return PICTURE.sub(lambda found: found[1] + "\n".join(picture()) + "\n" + found[2], text)


def picture() -> Iterator[str]:
    """A diagram of who imports whom, and a table of the floors from the highest to the lowest."""
    found = graph(parts(), types=True)
    direct = {part: found[part] - {far for near in found[part] for far in below(found, near)} for part in found}
    yield from ("", "```mermaid", "flowchart TD")
    yield from (f"  {part} --> {other}" for part in sorted(direct) for other in sorted(direct[part]))
    yield from ("```", "", "| floor | part | what it holds | rooms |", "|---|---|---|---|")
    for height, part in sorted(((height_of(found, part), part) for part in found), key=lambda row: (-row[0], row[1])):
        yield f"| {height} | `{part}` | {sentence(f'{ROOT}.{part}')} | {' '.join(rooms(f'{ROOT}.{part}'))} |"
    yield ""


def rooms(part: str) -> Iterator[str]:
    """The folders inside of a part; of a folder of folders, those with their names."""
    inside = {name for name, path in modules().items() if path.name == "__init__.py"}
    for room in sorted(name for name in inside if name.rpartition(".")[0] == part):
        smaller = sorted(name.rpartition(".")[2] for name in inside if name.rpartition(".")[0] == room)
        yield f"`{room.rpartition('.')[2]}`" + (f" ({', '.join(smaller)})" if smaller else "")


def below(found: Graph, part: str) -> set[str]:
    """All that a part imports, directly or by others."""
    return found[part].union(*(below(found, other) for other in found[part]))


def height_of(found: Graph, part: str) -> int:
    """How many floors lie below a part."""
    return 1 + max((height_of(found, other) for other in found[part]), default=-1)


def sentence(module: str) -> str:
    """The first sentence of a module's docstring."""
    said = (ast.get_docstring(ast.parse(modules()[module].read_text())) or "").partition("\n\n")[0]
    return " ".join(said.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(with_picture(PAGE.read_text()))
