"""Write `requirements.lock`: the version of every package that the set-up installs, for each system and Python.

    .venv/bin/python tools/lock.py [OPTION...]

Without options, versions stay as far as pyproject.toml still allows them. Options go to `uv pip compile`:
`--upgrade` takes the newest version of everything, `--upgrade-package NAME` of one package.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tools.install import LOCK, pip_settings, uv_environment, uv_options  # noqa: E402

HEAD = """\
# The versions that the set-up installs (tools/install.py), for every system and Python that pyproject.toml allows.
# Written by tools/lock.py; it names no registry, so uv and pip use the one that they are configured with.
"""


def main(options: list[str]) -> int:
    """Write the lock file, and return uv's exit code."""
    configured = pip_settings()
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "pyproject.toml", "--all-extras"]
    command += ["--universal", "--python-version", "3.11", "--no-header", "--no-annotate", "--output-file", LOCK.name]
    environment = os.environ | uv_environment(configured)
    code = subprocess.run(
        [*command, *uv_options(configured), *options], cwd=PROJECT, env=environment, check=False
    ).returncode
    if code == 0:
        pins = LOCK.read_text(encoding="utf-8")
        LOCK.write_text(HEAD + pins.removeprefix(HEAD), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
