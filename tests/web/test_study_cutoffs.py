"""A study tells how the cutoffs of its schedulers divide the work's jobs."""

from __future__ import annotations

from typing import Any

from playground.studies.cutoffs import cutoffs_of
from scheduler_core import Experiment, Findings, StudyPlan, expand, measured_numbers, simulate
from scheduler_core.experiment.classes import YAHOO_S


def _findings(experiment: dict[str, Any], plan: dict[str, Any]) -> Findings:
    return Findings(expand(Experiment.parse(experiment), StudyPlan.parse(plan)))


def test_the_counts_are_those_of_the_first_run_of_each_scheduler_with_a_cutoff(
    small_experiment: dict[str, Any],
) -> None:
    schedulers = [{"name": "drf"}, {"name": "hawk", "params": {"short_cutoff_s": 1e6}}, {"name": "eagle"}]
    findings = _findings(small_experiment, {"schedulers": schedulers, "repeats": 2})
    for number in (3, 4, 0, 1):
        run = simulate(Experiment.parse(findings.grid.experiment(*findings.grid.run(number))))
        findings.add(number, measured_numbers(run.summary))
        if number == 4:
            jobs = run.summary["jobs"]["total"]
            work = run.summary["by_work_class"]
    found = cutoffs_of(findings, ())
    assert [each["scheduler"] for each in found] == [1]  # DRF has no cutoff, and no run of Eagle is done
    own = None if work["rule"] == "yahoo" else work["cutoff_s"]
    counts = {"short": jobs, "long": 0, "work_short": work["short"]["jobs"], "work_long": work["long"]["jobs"]}
    assert found == [{"scheduler": 1, **counts, "cutoff_s": own}]


def test_yahoo_s_boundary_is_none_of_the_work_and_a_varied_cutoff_is_not_told(small_experiment: dict[str, Any]) -> None:
    findings = _findings(small_experiment, {"schedulers": [{"name": "hawk"}]})
    classes = {f"{of}.{name}.jobs": 5 for of in ("by_class", "by_work_class") for name in ("short", "long")}
    findings.add(0, {**classes, "by_work_class.cutoff_s": YAHOO_S})
    assert [each["cutoff_s"] for each in cutoffs_of(findings, ())] == [None]
    assert cutoffs_of(findings, {"scheduler.params.short_cutoff_s"}) == []
