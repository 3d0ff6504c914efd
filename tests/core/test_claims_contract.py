"""Claims in the words of the outside contract, and verdicts over seeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.claims import Claim, Found, known_claims
from scheduler_core.claims.counted import COUNTED, counted, counted_as
from scheduler_core.claims.over_seeds import listed, ran_over, stored_verdict, verdict_over
from scheduler_core.claims.papers import papers
from scheduler_core.claims.results import saved_results
from scheduler_core.cli.main import main
from tests.tiers import wide

CATALOGUE = Path(__file__).resolve().parents[3] / "shared" / "domain" / "claims.json"
VERDICTS = {"reproduced", "sign-only", "not-reproduced", "no-evidence", "cannot-run", "at-the-edge"}
KNOWN_BY = {"given", "assumed", "calibrated", "chosen-after", "by-construction"}


def claim(**changes: object) -> Claim:
    setup = {"experiment": {"scheduler": {"name": "sparrow"}}}
    measure = {"name": "x", "of": "one.makespan_s", "band": {"most": 2}, "sign": {"most": 5}}
    data = {"id": "a-claim", "source": "test", "says": "It is short.", "kind": "figure", "setups": {"one": setup}}
    return Claim.model_validate(data | {"measures": [measure]} | changes)


def found(inside: int, sign: int, outside: int) -> Found:
    """A run of a claim with so many seeds inside its band, so many in the weaker band, and so many outside."""
    values = (1.0,) * inside + (4.0,) * sign + (9.0,) * outside
    seeds = tuple(range(101, 101 + len(values)))
    return Found(id="a-claim", verdict="reproduced", figures={"x": values}, seeds=seeds)


def listing(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["claims", "list", "--json", *arguments]) == 0
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return rows


def test_the_list_has_the_contract_s_keys_and_words(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listing(capsys)
    assert [row["id"] for row in rows] == [*known_claims()]
    for row in rows:
        assert row["verdict"] in VERDICTS
        assert row["known_by"] in KNOWN_BY
        assert row["paper"]
        assert row["statement"]
        assert len(row["measure"]) == len(row["band"])
        assert set(row["figures"]) <= set(row["measure"])
    by_id = {row["id"]: row for row in rows}
    assert set(by_id["megha-f3-4-tail"]["figures"]["longest wait, Sparrow, s"]) == {str(seed) for seed in range(1, 11)}
    assert by_id["fuxi"]["verdict"] == "cannot-run"
    only = listing(capsys, "--paper", "carbyne", "--verdict", "at-the-edge")
    assert {row["id"] for row in only} == {
        row["id"] for row in rows if row["paper"] == "carbyne" and row["verdict"] == "at-the-edge"
    }


def test_every_claim_of_the_catalogue_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    if not CATALOGUE.is_file():
        pytest.skip("shared/domain/claims.json does not lie beside this clone")
    wanted = {one["id"] for one in json.loads(CATALOGUE.read_text(encoding="utf-8"))["claims"]}
    assert wanted <= {row["id"] for row in listing(capsys)}


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        ((9, 0, 1), "reproduced"),
        ((10, 0, 0), "reproduced"),
        ((8, 2, 0), "at the edge"),
        ((17, 0, 3), "at the edge"),
        ((1, 0, 9), "at the edge"),
        ((1, 18, 1), "sign only"),
        ((0, 9, 1), "sign only"),
        ((0, 8, 2), "sign only"),
        ((0, 4, 6), "not reproduced"),
        ((1, 0, 19), "not reproduced"),
    ],
)
def test_a_verdict_over_seeds_is_the_share_of_seeds_inside(seeds: tuple[int, int, int], expected: str) -> None:
    assert verdict_over(claim(), found(*seeds)) == expected


def test_a_seed_is_inside_if_every_measure_is() -> None:
    measure = {"name": "x", "of": "one.makespan_s", "band": {"most": 2}}
    made = claim(measures=[measure, measure | {"name": "y"}])
    figures = {"x": (1.0, 1.0, 9.0, 9.0), "y": (1.0, 9.0, 1.0, None)}
    told = ran_over(made, Found(id="a-claim", verdict="reproduced", figures=figures, seeds=(7, 8, 9, 10)), over=True)
    assert told["inside"] == {"7": True, "8": False, "9": False, "10": False}
    assert told["share_inside"] == 0.25
    assert told["verdict"] == "at-the-edge"


def test_a_verdict_over_seeds_is_no_better_than_the_recorded_parts() -> None:
    part = {"name": "by hand", "verdict": "not reproduced"}
    made = claim(recorded=[part], held="By hand.", expected="not reproduced", reason="It is so.")
    assert verdict_over(made, found(10, 0, 0)) == "not reproduced"


def test_a_claim_or_a_part_without_a_run_has_no_evidence() -> None:
    assert listed(claim(), None)["verdict"] == "no-evidence"
    measure = {"name": "y", "of": "one.makespan_s", "band": {"most": 2}}
    told = listed(claim(measures=[*claim().measures, measure]), found(10, 0, 0))
    assert (told["verdict"], told["not_run_yet"]) == ("no-evidence", ["y"])


@wide
def test_the_command_runs_claims_under_seeds_of_one_s_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "run", "altruism-gives", "choosy", "--seeds", "3", "--from", "101", "--json"]) == 0
    for one in json.loads(capsys.readouterr().out):
        assert one["seeds"] == [101, 102, 103]
        assert set(one["inside"]) == {"101", "102", "103"}
        assert one["verdict"] in VERDICTS
    assert main(["claims", "run", "altruism-gives", "--seeds", "2"]) == 0
    assert "2 of 2" in capsys.readouterr().out


@pytest.mark.parametrize("asked", [("--seeds", "0"), ("--from", "-1"), ("--seeds", "2", "--save")])
def test_seeds_that_cannot_be_are_refused(asked: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "run", "altruism-gives", *asked]) == 2
    assert asked[0] in capsys.readouterr().err or "--save" in asked


def test_each_statement_of_a_paper_counts_once(capsys: pytest.CaptureFixture[str]) -> None:
    statements = [one for paper in papers().values() for one in paper.claims]
    assert sum(counted().values()) == len(statements)
    for one in statements:
        saved = saved_results().get(one.id)
        reproduced = stored_verdict(one, saved.found if saved is not None else None) == "reproduced"
        assert (counted_as(one) in ("beforehand", "weakly")) == reproduced
        if counted_as(one) == "beforehand":
            assert one.known in ("given", "assumed")
    assert main(["claims", "list"]) == 0
    told = capsys.readouterr().out
    assert f"{len(statements)} statements of papers:" in told
    for name, many in counted().items():
        assert f"{many:>3}  {COUNTED[name]}" in told
