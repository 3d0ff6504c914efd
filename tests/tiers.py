"""Which tests run when: `make test` sees each event loop once and few examples, `make test-all` everything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

wide = pytest.mark.wide
"""Only `make test-all` runs it; what it marks says in its commit which test of `make test` holds the same law."""


def examples(many: int, few: int | None = None) -> settings:
    """Try `many` examples in `make test-all`, a tenth of them (or `few`) in `make test`."""
    if settings.get_current_profile_name() == "many":
        return settings(max_examples=many)
    return settings(max_examples=few if few is not None else max(5, many // 10))


def all_but_wide(names: Iterable[Any], kept: Iterable[Any]) -> list[Any]:
    """Return parameters: the `kept` ones for every run, the others of `names` for `make test-all`."""
    chosen = set(kept)
    return [name if name in chosen else pytest.param(name, marks=wide) for name in names]
