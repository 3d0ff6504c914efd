"""Spelling is American in names, comments, docstrings and texts; pyproject.toml lists the names that are exceptions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import PROJECT

FOLDERS = ("bench", "docs", "playground", "scheduler_core", "templates", "tests", "tools")
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "Makefile", "mkdocs.yml", "pyproject.toml")
THIS = ("tests/core/test_spelling.py",)
KINDS = {".py", ".md", ".html", ".toml", ".yml", ".txt"}


def files() -> list[str]:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS, *PAGES]
    named = subprocess.run(listed, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = [name for name in named if (Path(name).suffix in KINDS or name == "Makefile") and name not in THIS]
    return [name for name in wanted if not name.startswith("tests/vendor/") and (PROJECT / name).is_file()]


def spell(*names: str, cwd: Path = PROJECT) -> list[str]:
    command = [sys.executable, "-m", "codespell_lib", "--toml", str(PROJECT / "pyproject.toml"), *names]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False).stdout.splitlines()


def test_spelling_is_american() -> None:
    found = spell(*files())
    assert not found, "spell these as Americans do, or list a name of the contract in pyproject.toml:\n" + "\n".join(
        found
    )


@pytest.mark.parametrize("text", ["the colour of it", "def honours_it(): ...", "recogniseTrace", "# a Licence"])
def test_the_rule_sees_british_words_and_names(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(text)
    assert len(spell("a.py", cwd=tmp_path)) == 1
