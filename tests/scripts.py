"""Check the page's scripts: `python -m tests.scripts` runs every check, with `--fix` it repairs what can be repaired.

Format and lint (Biome), types (TypeScript, strict), the width of lines, and the tests under tests/js. `--fix` also
writes the list of texts that the tests compare.
"""

from __future__ import annotations

import subprocess
import sys

from tests import node
from tests.support import PROJECT

_BIOME = "node_modules/@biomejs/biome/bin/biome"
_TSC = "node_modules/typescript/bin/tsc"
_WIDTH = 120


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


def wrong_types() -> list[str]:
    """Return what TypeScript finds wrong in the scripts, a line each."""
    command = [node.node(), _TSC, "--pretty", "false", "-p", "tsconfig.json"]
    answer = subprocess.run(command, cwd=PROJECT, check=False, capture_output=True, text=True)
    return answer.stdout.splitlines()


def main() -> int:
    """Run all checks. Return the number of those that fail."""
    node.install()
    failed = []
    if "--fix" in sys.argv[1:]:
        subprocess.run([node.node(), "tests/js/catalogue.mjs"], cwd=PROJECT, check=True)
    if found := long_lines():
        print("\n".join(found))
        failed.append(f"lines over {_WIDTH} columns")
    if wrong := wrong_types():
        print("\n".join(wrong))
        failed.append("types")
    for name, arguments in commands(fix="--fix" in sys.argv[1:]):
        if subprocess.run([node.node(), *arguments], cwd=PROJECT, check=False).returncode:
            failed.append(name)
    print(f"The page's scripts fail: {', '.join(failed)}." if failed else "The page's scripts pass all checks.")
    return len(failed)


if __name__ == "__main__":
    raise SystemExit(main())
