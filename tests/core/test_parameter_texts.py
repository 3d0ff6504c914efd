"""Each parameter has a label of its own, one line of help, bounds, and a label for each of its values."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from scheduler_core.experiment.options import KEY as OPTIONS
from scheduler_core.experiment.options import option_lines
from scheduler_core.schedulers import SCHEDULERS
from scheduler_core.world.spec import SchedulerSpec

_LINE = 240
_MARKUP = re.compile(r"[`_]\w|\w_\w")
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


@pytest.mark.parametrize("spec", SCHEDULERS, ids=lambda spec: spec.name)
def test_people_read_labels_and_no_raw_values(spec: SchedulerSpec) -> None:
    fields = spec.params.model_json_schema().get("properties", {})
    assert unlike(field["title"] for field in fields.values()), spec.name
    for name, field in fields.items():
        options = field.get(OPTIONS, {})
        assert set(options) == {value for value in field.get("enum", ()) if isinstance(value, str)}, name
        assert unlike(option["label"] for option in options.values()), name
        for text in (field["title"], field["description"], *option_lines(field)):
            assert not _MARKUP.search(text), (name, text)


@pytest.mark.parametrize("spec", SCHEDULERS, ids=lambda spec: spec.name)
def test_declared_labels_collide_nowhere(spec: SchedulerSpec) -> None:
    for declared in (spec.counters, spec.layers, spec.marks, spec.series, spec.policies):
        assert unlike(each.label for each in declared), spec.name


def unlike(labels: Iterable[str]) -> bool:
    listed = [label.casefold() for label in labels]
    return len(set(listed)) == len(listed)
