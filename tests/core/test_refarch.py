"""The reference architecture as data: stages, the matrix, and the paper's Tables II, III and VIII worked out again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from scheduler_core.refarch import (
    GROUPS,
    POLICIES,
    STAGES,
    SYSTEMS,
    TABLE_III,
    TABLE_VIII,
    cell,
    cells,
    column_bounds,
    default_pipeline,
    differences,
    group_table,
    missing_inputs,
    stage_by_id,
)
from scheduler_core.refarch.matrix import WORDS
from scheduler_core.refarch.stages import ALWAYS, of_group
from scheduler_core.refarch.tables import ACADEMIA, BEFORE, INDUSTRY, SINCE
from tests.core import published

HALVES = {"III": (TABLE_III, ACADEMIA, INDUSTRY), "VIII": (TABLE_VIII, BEFORE, SINCE)}


def test_there_are_33_stages_in_four_groups() -> None:
    assert {group: len(of_group(group)) for group, _ in GROUPS} == {"J": 7, "T": 12, "M": 7, "R": 7}
    assert len({stage.id for stage in STAGES}) == 33
    assert {stage.id for stage in STAGES if "mode" not in stage.inferred} == {"J1", "R1", "J4", "T3"}


def test_what_a_stage_takes_some_stage_gives() -> None:
    given = {what for stage in STAGES for what in stage.outputs} | {"failed task"}
    for stage in STAGES:
        assert set(stage.inputs) <= given, stage.id


def test_all_56_percentages_of_table_ii_follow_from_the_symbols() -> None:
    found = list(group_table())
    assert len(found) == 56
    assert [figure for figure in found if not figure.agrees] == []


@pytest.mark.parametrize("name", HALVES)
def test_printed_differences_lie_within_what_is_certain(name: str) -> None:
    rows = list(differences(*HALVES[name]))
    assert len(rows) == 10
    assert [row for row in rows if not row.agrees] == []
    assert sum(sum(row.exact) for row in rows) == {"III": 6, "VIII": 9}[name]
    for row in rows:
        for printed, (low, high), exact in zip(row.printed, row.bounds, row.exact, strict=True):
            assert not exact or abs(printed - low) < 1 or abs(printed - high) < 1


def test_a_changed_symbol_would_be_noticed() -> None:
    assert column_bounds("R4", BEFORE) == (pytest.approx(21.43, abs=0.01), pytest.approx(21.43, abs=0.01))
    low, high = column_bounds("T8")
    assert low < high


def test_the_matrix_has_273_certain_cells() -> None:
    evidence = Counter(one.evidence for system in SYSTEMS for one in cells(system))
    assert evidence == {"tables": 251, "prose": 22, "open": 189}
    by_group = Counter(stage_by_id(one.stage).group for system in SYSTEMS for one in cells(system) if one.determined)
    assert by_group == {"J": 84, "T": 73, "M": 63, "R": 53}


def test_rows_keep_their_symbols_in_order() -> None:
    for system in SYSTEMS:
        for group, _ in GROUPS:
            row = system.row(group)
            assert row.chosen.replace(".", "") == row.symbols
            assert len(row.columns) == len(of_group(group))
        for one in cells(system):
            assert one.chosen in one.candidates


def test_the_selected_symbols_of_table_ii_are_those_of_their_columns() -> None:
    for system in SYSTEMS:
        chosen = "".join(cell(system, stage).chosen for stage in ("T1", "T2", "R4", "R5"))
        assert chosen.replace(".", "") == system.selected


def test_every_cell_is_that_of_the_facts() -> None:
    facts: dict[str, Any] = published.figures("refarch")
    assert [system.name for system in SYSTEMS] == list(facts["matrix"])
    for system in SYSTEMS:
        for one in cells(system):
            fact = facts["matrix"][system.name][one.stage]
            assert [WORDS[symbol] for symbol in one.candidates] == fact["candidates"], (system.name, one.stage)
            told = {"determined_hard": "tables", "determined": "prose", "ambiguous": "open"}[fact["status"]]
            assert one.evidence == told
    for fact, system in zip(facts["schedulers"], SYSTEMS, strict=True):
        assert fact["year_of_cited_paper"] == system.year
        assert fact["origin"].lower() == system.origin
        assert fact["clusters"] == system.clusters
        assert fact["group_pct"] == {group: system.row(group).published for group, _ in GROUPS}
    for name, (printed, *_) in HALVES.items():
        assert {stage: tuple(both.values()) for stage, both in facts[f"table_{name}"].items()} == printed


def test_policies_belong_to_stages_that_have_a_choice() -> None:
    assert len({(policy.stage, policy.name) for policy in POLICIES}) == len(POLICIES)
    for policy in POLICIES:
        assert policy.stage not in ALWAYS
        assert policy.help.endswith(".")
        for giver, _ in policy.needs:
            assert stage_by_id(giver)


def test_missing_inputs_are_named() -> None:
    assert list(missing_inputs(default_pipeline())) == []
    (found,) = missing_inputs(default_pipeline() | {"R4": "none"})
    assert (found.stage, found.giver) == ("R5", "R4")
