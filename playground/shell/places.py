"""The folders of files and data: beside the code in a clone; in the package and the user's folder if installed."""

from __future__ import annotations

from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent.parent
_IN_WHEEL = _PACKAGE / "files"
"""Only a wheel has this folder: pyproject.toml puts `static`, `templates` and `fixtures` there."""

IS_CLONE = not _IN_WHEEL.is_dir()
FILES = _PACKAGE.parent if IS_CLONE else _IN_WHEEL
"""The folder of `static`, `templates` and `fixtures`; nothing is written here."""

HOME = _PACKAGE.parent if IS_CLONE else Path(platformdirs.user_data_dir("scheduler-playground", appauthor=False))
"""The folder of `.env` and, unless PLAYGROUND_DATA_DIR names another one, of the data folder `var`."""
