"""Check the page's scripts: `python -m tests.scripts` runs every check, with `--fix` it repairs what can be repaired.

Format and lint (Biome), types (TypeScript, strict), the width of lines, and the tests under tests/js. `--fix` also
writes the list of texts that the tests compare, and takes scripts without type errors off the list of untyped ones.
"""

from __future__ import annotations

import re
import subprocess
import sys

from tests import node
from tests.support import PROJECT

_BIOME = "node_modules/@biomejs/biome/bin/biome"
_TSC = "node_modules/typescript/bin/tsc"
_WIDTH = 120
_UNTYPED = PROJECT / "tests" / "js" / "untyped.txt"
"""Scripts that still have type errors, one path a line, sorted. The list may only shrink, and goes when it is empty."""


def commands(*, fix: bool = False) -> list[tuple[str, list[str]]]:
    """Return the checks in their order: a name and node's arguments."""
    tests = sorted(str(path.relative_to(PROJECT)) for path in (PROJECT / "tests" / "js").glob("*.test.mjs"))
    if not tests:
        raise SystemExit("no tests under tests/js")
    return [
        ("format and lint", [_BIOME, "check", "--error-on-warnings", *(["--write"] if fix else [])]),
        ("tests", ["--import", "./tests/js/page.mjs", "--test", "--test-reporter=dot", *tests]),
    ]


def long_lines() -> list[str]:
    """Return the lines of scripts that are longer than the formatter's width, which leaves texts and comments alone."""
    folders = (PROJECT / "static" / "js", PROJECT / "tests" / "js")
    scripts = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in {".js", ".mjs", ".ts"})
    return [
        f"{path.relative_to(PROJECT)}:{number}: {len(line)} columns"
        for path in scripts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > _WIDTH
    ]


def wrong_types(*, fix: bool = False) -> list[str]:
    """Return the errors of typed scripts, and the scripts that stand on the list of untyped ones without an error."""
    listed = set(_UNTYPED.read_text(encoding="utf-8").split()) if _UNTYPED.exists() else set()
    command = [node.node(), _TSC, "--pretty", "false", "-p", "tsconfig.json"]
    answer = subprocess.run(command, cwd=PROJECT, check=False, capture_output=True, text=True)
    at = re.compile(r"(\S+?)\(\d+,\d+\): error ")
    errors = [(match[1] if (match := at.match(line)) else "", line) for line in answer.stdout.splitlines()]
    untyped = {path for path, _line in errors} & listed
    if fix and listed:
        _UNTYPED.write_text("".join(f"{path}\n" for path in sorted(untyped)), encoding="utf-8")
        listed = untyped
    idle = [f"{path} has no type error: take it off tests/js/untyped.txt" for path in sorted(listed - untyped)]
    return [line for path, line in errors if path not in listed and not line.startswith(" ")] + idle


def main() -> int:
    """Run all checks. Return the number of those that fail."""
    node.install()
    failed = []
    if "--fix" in sys.argv[1:]:
        subprocess.run([node.node(), "tests/js/catalogue.mjs"], cwd=PROJECT, check=True)
    if found := long_lines():
        print("\n".join(found))
        failed.append(f"lines over {_WIDTH} columns")
    if wrong := wrong_types(fix="--fix" in sys.argv[1:]):
        print("\n".join(wrong))
        failed.append("types")
    for name, arguments in commands(fix="--fix" in sys.argv[1:]):
        if subprocess.run([node.node(), *arguments], cwd=PROJECT, check=False).returncode:
            failed.append(name)
    print(f"The page's scripts fail: {', '.join(failed)}." if failed else "The page's scripts pass all checks.")
    return len(failed)


if __name__ == "__main__":
    raise SystemExit(main())
