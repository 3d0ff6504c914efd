"""Every parameter of every scheduler says what it is: its name, what it does in a line, and within which bounds."""

from __future__ import annotations

import pytest

from scheduler_core.schedulers import SCHEDULERS
from scheduler_core.world.spec import SchedulerSpec

_LINE = 240
_UNITS = {"_gb_s": {"GB/s"}, "_s": {"s"}, "_us": {"µs", "us"}, "_ns": {"ns"}, "_gb": {"GB"}}


@pytest.mark.parametrize("spec", SCHEDULERS, ids=lambda spec: spec.name)
def test_a_parameter_tells_what_it_does_and_how_far_it_goes(spec: SchedulerSpec) -> None:
    for name, field in spec.params.model_json_schema().get("properties", {}).items():
        described = field.get("description", "")
        first = described.split(". ")[0]
        assert field.get("title"), name
        assert 15 <= len(first) <= _LINE, (name, first)
        assert described.rstrip().endswith("."), (name, described)
        options = [each for each in field.get("anyOf", [field]) if each.get("type") != "null"]
        for option in options:
            bounds = {**field, **option}
            if bounds.get("type") in ("number", "integer"):
                assert {"minimum", "exclusiveMinimum"} & set(bounds), name
                assert {"maximum", "exclusiveMaximum"} & set(bounds), name
                units = next((allowed for ending, allowed in _UNITS.items() if name.endswith(ending)), None)
                assert units is None or field.get("unit") in units, (name, field.get("unit"))
