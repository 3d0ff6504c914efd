"""The page's scripts have checks of their own; see tests/scripts.py."""

from __future__ import annotations

import subprocess

import pytest

from tests import node, scripts
from tests.support import PROJECT


def test_no_line_is_longer_than_the_formatters_width() -> None:
    assert scripts.long_lines() == []


@pytest.mark.parametrize(("name", "arguments"), scripts.commands(), ids=lambda value: str(value).replace(" ", "-"))
def test_the_pages_scripts_pass(name: str, arguments: list[str]) -> None:
    node.install()
    done = subprocess.run([node.node(), *arguments], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name}: {done.stdout[-4000:]}{done.stderr[-2000:]}"
