"""Claims as data: their form, their expressions and verdicts, and what the product says of effects, run."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from scheduler_core.claims import Band, Claim, check, experiments_of, kept_runs, known_claims
from scheduler_core.claims.batches import batches
from scheduler_core.claims.expressions import Expression
from scheduler_core.claims.knobs import claim_of
from scheduler_core.claims.measures import MEASURES
from scheduler_core.claims.running import check_together, verdict
from scheduler_core.claims.trials import Trial, trials
from scheduler_core.cli.main import main
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.places import with_changes

GALLERY = Path(__file__).resolve().parents[2] / "fixtures" / "gallery"
STATEMENTS = [claim for claim in known_claims().values() if claim.source == "gallery"]
TINY = {
    "topology": {"clusters": [{"machines": [{"count": 1}]}]},
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 1]}]},
    "scheduler": {"name": "sparrow"},
}


def claim(**changes: object) -> Claim:
    """A claim about two tasks on one machine, of which the second waits a second."""
    measure = {"name": "wait", "of": "one.allocation_delay_s.max", "band": {"least": 0.9, "most": 1.1}}
    data = {"id": "two-tasks", "source": "test", "says": "The second task waits.", "kind": "exact", "seeds": [1, 2]}
    return Claim.model_validate(data | {"setups": {"one": {"experiment": TINY}}, "measures": [measure]} | changes)


def test_every_text_of_the_gallery_names_the_claims_that_back_it() -> None:
    named: set[tuple[str, str]] = set()
    for path in GALLERY.glob("*.json"):
        entry = json.loads(path.read_text())
        for text in (entry, *entry["tour"], *entry["next"]):
            named |= {(path.stem, one) for one in text["checked"]}
    assert named == {(one.ref, one.id) for one in STATEMENTS}


def test_every_story_of_a_challenge_names_the_claims_that_back_it() -> None:
    named = {
        (path.stem, one)
        for path in (GALLERY.parent / "challenges").glob("*.json")
        for one in json.loads(path.read_text())["checked"]
    }
    claims = [one for one in known_claims().values() if one.source == "challenges"]
    assert named == {(one.ref, one.id) for one in claims}
    assert {ref for ref, _ in named} == {path.stem for path in (GALLERY.parent / "challenges").glob("*.json")}
    for claim in claims:
        assert {setup.file for setup in claim.setups.values() if setup.file} == {f"challenges/{claim.ref}"}


def test_a_claim_on_a_preset_runs_that_preset() -> None:
    for one in known_claims().values():
        if one.source == "presets":
            files = {setup.file for setup in one.setups.values() if setup.file is not None}
            assert files == {f"presets/{one.ref}"}
            assert experiments_of(one, 1)


ASKS_ONLY = {"pigeon-groups"}
"""Presets whose question states no effect."""


def test_each_preset_has_a_claim_of_its_own_or_is_an_experiment_of_a_paper_s_claim() -> None:
    of_papers = {"quincy-data", "sirius-gpu", "sirius-priority", "sirius-snp", "phoenix-crv"}
    stated = {one.ref for one in known_claims().values() if one.source == "presets"}
    presets = {path.stem for path in (GALLERY.parent / "presets").glob("*.json")}
    assert presets == stated | of_papers | ASKS_ONLY


def test_what_the_gallery_offers_next_is_what_its_claims_run() -> None:
    """A button's change makes one of the experiments of each claim that backs its text."""
    for path in GALLERY.glob("*.json"):
        entry = json.loads(path.read_text())
        for button in entry["next"]:
            for one in button["checked"]:
                claim = known_claims()[one]
                ways = experiments_of(claim, 1)
                begun = next(setup.file for setup in claim.setups.values() if setup.file is not None)
                assert begun == f"gallery/{path.stem}"
                data = with_changes(_experiment(entry), button["change"]) | {"seed": 1}
                assert Experiment.parse(data).to_dict() in [way.to_dict() for way in ways.values()], (path.stem, one)


def _experiment(entry: dict[str, object]) -> dict[str, object]:
    if "preset" in entry:
        entry = json.loads((GALLERY.parent / "presets" / f"{entry['preset']}.json").read_text())
        return entry
    experiment: dict[str, object] = entry["experiment"]  # type: ignore[assignment]
    return experiment


KNOBS = [one for one in known_claims().values() if one.source == "knobs"]
RUNNING = batches(one for one in known_claims().values() if one.runs)
SLOW = {"knobs-tetrisched", "knobs-alsched"}
"""Batches of which the wide test runs one claim: each takes them some ten seconds."""


@pytest.mark.wide
@pytest.mark.parametrize("batch", RUNNING)
def test_claims_have_the_expected_verdicts(batch: str) -> None:
    """Those that share runs together. A claim whose trace is not at hand says how to get it."""
    asked = RUNNING[batch][: 1 if batch in SLOW else None]
    found = check_together(asked)
    missed = {
        one.id: (one.verdict, one.figures)
        for one, claim in zip(found, asked, strict=True)
        if one.verdict != claim.expected_in(full=False) and not one.why
    }
    assert not missed
    if all(one.why for one in found):
        pytest.skip(found[0].why)


def test_each_claim_that_runs_is_in_one_batch() -> None:
    names = [one.id for batch in RUNNING.values() for one in batch]
    assert sorted(names) == sorted(one.id for one in known_claims().values() if one.runs)


def test_each_claim_on_a_knob_compares_two_values_of_it() -> None:
    """Claims are made from the table that `bench.knobs` runs; test_knob_trials holds that each could run."""
    made = known_claims()["knob-megha-heartbeat-s-60"]
    ways = experiments_of(made, 1)
    assert [ways[name].scheduler.params["heartbeat_s"] for name in ("before", "after")] == [1, 60]
    assert made.says.startswith("Megha: heartbeat_s 60 in place of 1. Lower: messages")
    tried = {(trial.scheduler, trial.knob) for trial in trials([], own=True) if trial.claims}
    assert {tuple(one.ref.split(" ", 1)) for one in KNOBS} == tried


@pytest.mark.parametrize(
    ("way", "before", "after", "expected"),
    [
        ("+", 100, 102, "reproduced"),
        ("+", 100, 100.5, "not reproduced"),
        ("+", 0, 5, "reproduced"),
        ("+", 0, 0, "not reproduced"),
        ("-", 5, 0, "reproduced"),
        ("-", 100, 101, "not reproduced"),
        ("=", 100, 100.5, "reproduced"),
        ("=", 0, 0, "reproduced"),
        ("=", 100, 90, "not reproduced"),
    ],
)
def test_a_clause_holds_where_its_figure_moves_by_more_than_a_hundredth(
    way: str, before: float, after: float, expected: str
) -> None:
    trial = Trial("megha", "heartbeat_s", "g", (1, 2), (("messages", way),), TINY)
    made = claim_of(trial, 2, "a-claim", "Megha")
    runs = {
        name: SimpleNamespace(figures={"messages": value}) for name, value in (("before", before), ("after", after))
    }
    value = made.measures[0].expression.value(runs)  # type: ignore[arg-type]
    assert verdict(made, {made.measures[0].name: (value,)}) == expected


def test_a_claim_is_run_and_measured() -> None:
    found = check(claim())
    assert found.verdict == "reproduced"
    assert found.seeds == (1, 2)
    assert all(value == pytest.approx(1.0, abs=0.01) for value in found.figures["wait"])


@pytest.mark.parametrize(
    ("values", "every", "expected"),
    [
        ((1.0, 1.0, 9.0), False, "reproduced"),
        ((1.0, 1.0, 9.0), True, "not reproduced"),
        ((3.0, 3.0, 3.0), False, "sign only"),
        ((9.0, 9.0, 1.0), False, "not reproduced"),
        ((1.0, None, 1.0), False, "not reproduced"),
        ((), False, "not reproduced"),
    ],
)
def test_a_verdict_is_of_the_median_or_of_every_seed(
    values: tuple[float | None, ...], every: bool, expected: str
) -> None:
    measure = {"name": "x", "of": "one.makespan_s", "band": {"most": 2}, "sign": {"most": 5}, "every": every}
    assert verdict(claim(measures=[measure]), {"x": values}) == expected


def test_one_missed_measure_decides() -> None:
    held = {"name": "a", "of": "one.makespan_s", "band": {"most": 2}}
    assert verdict(claim(measures=[held, held | {"name": "b"}]), {"a": (1.0,), "b": (3.0,)}) == "not reproduced"


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "one.__class__.__mro__()",
        "(lambda: 1)()",
        "[1][0]",
        "one if two else 3",
        "9 ** 9 ** 9",
        "open('x')",
        "(1).real",
        "one[0]",
        "'text'",
        "max(one, key=two)",
        "1 +",
    ],
)
def test_an_expression_reads_nothing_else(text: str) -> None:
    with pytest.raises(ValueError, match=r"expression|understood|path"):
        Expression.parse(text)


def test_an_expression_follows_paths_and_divides() -> None:
    runs = {"a": SimpleNamespace(summary={"x": {"p99.9": 6.0}, "none": None}), "b": SimpleNamespace(summary={"y": 0})}
    value = lambda text: Expression.parse(text).value(runs)  # type: ignore[arg-type]  # noqa: E731
    assert value('-a.x["p99.9"] * 2 + max(1, 3)') == -9.0
    assert math.isnan(value('a.x["p99.9"] / b.y'))
    assert math.isnan(value("a.none + 1"))
    assert math.isnan(value("a.absent"))


def test_measures_of_tasks_by_hand() -> None:
    """One machine: a task of 1 s, then one of 1 s, and a job of 3 s after both."""
    jobs = [{"arrival_s": 0, "durations_s": [1, 1]}, {"arrival_s": 0, "durations_s": [3]}]
    experiment = TINY | {"workload": {"kind": "inline", "jobs": jobs}, "network": {"message_delay_s": 0}}
    [run] = [kept_runs()(one) for one in experiments_of(claim(setups={"one": {"experiment": experiment}}), 1).values()]
    assert sorted(((run.tasks["first_start_ns"] - run.tasks["arrival_ns"]) / 1e9).round(6)) in (
        [0, 1, 2],
        [0, 1, 4],
        [0, 3, 4],
    )
    assert MEASURES["most_running"](run) == 1
    assert MEASURES["waited"](run, 0.5) == pytest.approx(2 / 3)
    assert MEASURES["wait"](run, 1) == 0
    assert MEASURES["short_wait"](run, 100, 2) + MEASURES["long_wait"](run, 100, 2) in (3, 4, 5, 6)  # type: ignore[operator]
    ends = [MEASURES["job_end"](run, 0), MEASURES["job_end"](run, 1)]
    assert max(ends) == 5  # type: ignore[type-var]
    assert MEASURES["completion"](run) == pytest.approx(sum(ends) / 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"setups": {"one": {}}},
        {"setups": {"one": {"of": "two"}}},
        {"measures": []},
        {"expected": "not reproduced"},
        {"missing": "the trace"},
        {"measures": [{"name": "x", "of": "two.makespan_s", "band": {"least": 0}}]},
        {"measures": [{"name": "x", "of": "one.makespan_s", "band": {}}]},
    ],
)
def test_what_could_not_be_checked_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises((ValidationError, ValueError)):
        claim(**changes)


def test_a_band_holds_its_ends() -> None:
    assert Band(least=1, most=2).holds(1)
    assert Band(least=1, most=2).holds(2)
    assert not Band(least=1).holds(0.999)
    assert not Band(least=1).holds(math.nan)


def test_the_command_runs_one_and_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "run", "altruism-gives", "--json"]) == 0
    [found] = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "reproduced"
    assert main(["claims", "run", "no-such-claim"]) == 2
    assert "no claim is called" in capsys.readouterr().err
