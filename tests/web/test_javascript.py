"""The page's scripts have checks of their own; see tests/scripts.py."""

from __future__ import annotations

import subprocess

import pytest

from tests import node, scripts
from tests.support import PROJECT


def test_no_line_is_longer_than_the_formatters_width() -> None:
    assert scripts.long_lines() == []


def test_typed_scripts_have_no_type_error_and_the_list_of_untyped_ones_names_no_other() -> None:
    node.install()
    assert scripts.wrong_types() == []


@pytest.mark.parametrize(("name", "arguments"), scripts.commands(), ids=[name for name, _ in scripts.commands()])
def test_the_pages_scripts_pass(name: str, arguments: list[str]) -> None:
    node.install()
    done = subprocess.run([node.node(), *arguments], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name}: {done.stdout[-4000:]}{done.stderr[-2000:]}"
