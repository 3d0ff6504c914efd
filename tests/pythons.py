"""Find another Python than this one that has what the library needs."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys

from tests.support import PROJECT

VARIABLE = "PLAYGROUND_TEST_OTHER_PYTHON"
_NEWEST_FIRST = ("3.15", "3.14", "3.13", "3.12", "3.11")
_LOOK = "import sys, scheduler_core.api, wasmtime; print(*sys.version_info[:2], sep='.')"


@functools.cache
def other_python() -> tuple[str, str]:
    """Return (the executable of the newest other Python with the library's dependencies, "").

    Without one: ("", why there is none). `PLAYGROUND_TEST_OTHER_PYTHON` names one, which may be of this version, too.
    """
    named = os.environ.get(VARIABLE)
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    there = [named] if named else [f"python{version}" for version in _NEWEST_FIRST if version != own]
    lacking = []
    for name in filter(shutil.which, there):
        done = subprocess.run([name, "-c", _LOOK], cwd=PROJECT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return name, ""
        told = done.stderr.strip().splitlines() or ["no answer"]
        lacking.append(f"{name}: {next((line for line in reversed(told) if 'Error' in line), told[0]).strip()}")
    why = "; ".join(lacking) or f"there is no {' or '.join(there)}"
    return "", f"no other Python with the library's dependencies ({why}); {VARIABLE} names one"
