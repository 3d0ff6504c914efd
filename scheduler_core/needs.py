"""Check at import that the installed Numba is one whose private parts this library knows.

`engine/{held,linking,quicker,jit}.py` derive from classes that Numba may change with any release. Another release fails
somewhere inside a kernel, or compiles one that computes something else.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

NUMBA = (0, 68)
"""The release of Numba that the engine is written for; pyproject.toml allows every correction of it."""
_ALLOWED = f"numba>={NUMBA[0]}.{NUMBA[1]},<{NUMBA[0]}.{NUMBA[1] + 1}"


def check_numba() -> None:
    """Raise ImportError unless the allowed release of Numba is installed. Numba itself is not imported."""
    try:
        installed = version("numba")
    except PackageNotFoundError:
        installed = ""
    found = re.match(r"(\d+)\.(\d+)", installed)
    if found is None or (int(found[1]), int(found[2])) != NUMBA:
        raise ImportError(
            f"numba: {installed or 'no version'} is installed. scheduler_core uses private parts of Numba "
            f"{NUMBA[0]}.{NUMBA[1]}; allowed: {_ALLOWED}. Run: python -m pip install '{_ALLOWED}'. "
            "docs/development/next-numba.md says how to move this library to another Numba."
        )
