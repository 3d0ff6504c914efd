"""Megha's rules of before: an experiment that was stored then keeps its outcome, and today's rules give another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, keep_rules, simulate

BEFORE: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "megha_before.json").read_text())
"""Experiments as they were written for version 0.1.0, and the digests of what came of them."""

both_rules = pytest.mark.parametrize("case", BEFORE, ids=[row["case"] for row in BEFORE])


def digest(experiment: dict[str, Any]) -> str:
    return str(simulate(Experiment.parse(experiment)).summary["outcome_digest"])


@both_rules
def test_an_experiment_of_before_keeps_its_outcome(case: dict[str, Any]) -> None:
    assert digest(keep_rules(case["experiment"], "0.1.0")) == case["outcome_digest"]


@both_rules
def test_today_s_rules_change_what_follows_the_paper_and_no_public_program(case: dict[str, Any]) -> None:
    follows_a_program = "profile" in case["experiment"]["scheduler"].get("params", {})
    assert (digest(case["experiment"]) == case["outcome_digest"]) == follows_a_program
