"""Declare beside a field which default it had under earlier rules.

A default that changes, or a parameter that is new, changes what an experiment asks that does not name it. Beside the
field stands what such an experiment asked before:

    first_fit: bool = Field(True, title=..., description=..., json_schema_extra=formerly("0.2.0", False))

`scheduler_core.experiment.rules` reads the declarations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scheduler_core.version import __version__

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_UNCHANGED: Any = object()
KEY = "formerly"


def formerly(
    before: str,
    value: Any = _UNCHANGED,
    *,
    by_profile: Mapping[str, Any] | None = None,
    earlier: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Declare what an absent field meant in versions before `before`; for `json_schema_extra` of the field.

    A field that did not exist before `before` declares the value with which it behaves as that version did.
    `by_profile` goes before `value` under the profiles that it names. Without `value` the default did not change under
    other profiles. `earlier` is the declaration of a version further back.
    """
    one: dict[str, Any] = {"before": before}
    if value is not _UNCHANGED:
        one["value"] = value
    if by_profile is not None:
        one["by_profile"] = dict(by_profile)
    if len(one) == 1:
        raise TypeError("formerly needs a value, or values by profile")
    rows = [*(earlier[KEY] if earlier else ()), one]
    versions = [version_of(row["before"]) for row in rows]
    if versions != sorted(set(versions)):
        raise ValueError(f"{KEY}: the versions {[row['before'] for row in rows]} are not in ascending order")
    return {KEY: rows}


def version_of(text: str) -> tuple[int, int, int]:
    """Read a version; raises ValueError for what does not start like 0.2.0."""
    found = _VERSION.match(text)
    if found is None:
        raise ValueError(f"{text!r} is not a version such as 0.2.0")
    return int(found[1]), int(found[2]), int(found[3])


def is_known_version(text: str) -> bool:
    """Return True if a text is a version with known rules: today's or an earlier one."""
    return _VERSION.match(text) is not None and version_of(text) <= version_of(__version__)


def former_default(extra: object, made_under: str, profile: object = None) -> tuple[Any, ...]:
    """Return the default under the rules of a version as a tuple of one; an empty tuple where it is today's.

    `extra` is what the field declares as `json_schema_extra`.
    """
    rows = extra.get(KEY, ()) if isinstance(extra, Mapping) else ()
    made = version_of(made_under) if rows else (0, 0, 0)
    for row in rows:
        if made >= version_of(row["before"]):
            continue
        by_profile = row.get("by_profile", {})
        if isinstance(profile, str) and profile in by_profile:
            return (by_profile[profile],)
        if "value" in row:
            return (row["value"],)
    return ()
