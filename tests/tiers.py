"""Which tests run when: `make test` sees each event loop once and few examples, `make test-all` everything."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

wide = pytest.mark.wide
"""Only `make test-all` runs it; what it marks says in its commit which test of `make test` holds the same law."""

journey = pytest.mark.journey
"""A way through the product in a browser that `make test` goes, too. The other tests of tests/browser are wide."""


def shares(playground: str) -> pytest.MarkDecorator:
    """Return the group of tests that share a playground: one of several in `make test-all`, the one of `make test`.

    A playground's processes import everything and read the compiled code of all loops.
    """
    return pytest.mark.xdist_group(playground if settings.get_current_profile_name() == "many" else "service")


def spread(rows: Iterable[Any], playground: str, parts: int) -> list[Any]:
    """Return parameters in turn for `parts` playgrounds: for tests that mostly wait, in place of `shares`."""
    together = [row if isinstance(row, tuple) else (row,) for row in rows]
    return [pytest.param(*row, marks=shares(f"{playground} {at % parts + 1}")) for at, row in enumerate(together)]


FUZZED = int(os.environ.get("FUZZED", "100000"))
"""How many generated policies `make test-all` compiles and runs."""


def examples(many: int, few: int | None = None) -> settings:
    """Try `many` examples in `make test-all`, a tenth of them (or `few`) in `make test`."""
    if settings.get_current_profile_name() == "many":
        return settings(max_examples=many)
    return settings(max_examples=few if few is not None else max(5, many // 10))


def sampled(found: Iterable[Any], every: int) -> list[Any]:
    """Return everything in `make test-all`, and one of `every` so many in `make test`."""
    return list(found)[:: 1 if settings.get_current_profile_name() == "many" else every]


def all_but_wide(names: Iterable[Any], kept: Iterable[Any]) -> list[Any]:
    """Return parameters: the `kept` ones for every run, the others of `names` for `make test-all`."""
    kept_ones = set(kept)
    together = [name if isinstance(name, tuple) else (name,) for name in names]
    return [pytest.param(*values, marks=() if {values, values[0]} & kept_ones else wide) for values in together]


def chosen(request: pytest.FixtureRequest, parameter: str) -> list[Any]:
    """Return the values of a parameter that the tests of this file run with: a fixture makes what these need only."""
    params = [
        item.callspec.params
        for item in request.session.items
        if item.path == request.path and isinstance(item, pytest.Function) and hasattr(item, "callspec")
    ]
    return list(dict.fromkeys(one[parameter] for one in params if parameter in one))
