"""What the library explains in English is made of templates, and each of them has a German text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.utils import translation

from playground.runs.results import parts
from playground.web import explained, reasons, words
from scheduler_core import SCHEDULERS, Experiment, Simulation, explain, flow_way, scheduler_by_name, smallest_change
from scheduler_core.explanation import standing
from scheduler_core.explanation.candidates import candidates
from scheduler_core.explanation.sentences import sentences
from scheduler_core.run.telling import CLAUSES
from scheduler_core.world.spec import FAMILIES
from tests.core.experiments import LOOPS
from tests.core.test_reasons import crowded

pytestmark = pytest.mark.redis


def test_every_sentence_of_the_why_panel_has_a_german_text() -> None:
    templates = {reason.template for spec in SCHEDULERS for reason in spec.reasons} | set(CLAUSES)
    templates |= {text for texts in explained.TEMPLATES.values() for text in texts}
    german = words.catalogue("de")
    assert [text for text in sorted(templates) if not isinstance(german.get(text), str)] == []


def test_all_that_a_family_says_of_room_that_is_not_used_is_known() -> None:
    assert {family.unused for family in FAMILIES.values()} == set(explained.TEMPLATES["unused"])


def unknown(texts: list[str], decisions: list[dict[str, Any]]) -> list[str]:
    """Return the texts that are not made of the templates; the others are put together again as they were."""
    same = {one["sentence"]: one["sentence"] for one in decisions}
    with translation.override("en"):
        return [text for text in texts if explained.taken_apart(text, same) != text]


@pytest.mark.parametrize("scheduler", LOOPS)
def test_what_the_library_explains_is_made_of_the_templates(scheduler: str) -> None:
    experiment = crowded(scheduler)
    simulation = Simulation(experiment, frames=0)
    for t_s in (0.05, 1.03, 2.4):
        simulation.advance_to(round(t_s * 1e9))
        for task in range(0, len(simulation.world.task), 3):
            decisions = sentences(simulation, task)
            told = standing(simulation, task, decisions)
            groups = [group["sentence"] for group in told["ruled_out"]]
            assert unknown([told["answer"], *groups], decisions) == []
    last = len(simulation.world.task) - 1
    for task in (last // 3, last):
        answer = explain(experiment, task)
        assert unknown([answer["probes"]["why"]] if answer["probes"] else [], []) == []
    params = [f"scheduler.params.{name}" for name in simulation.spec.params.model_fields]
    assert unknown([one.text for one in candidates(simulation, last, 2.4, params)], []) == []
    if simulation.spec.family == "flow":
        assert unknown([flow_way(experiment, task)["told"] for task in (last // 3, last)], []) == []


#: Of six machines one is too small, one lacks the property, one has failed and the others are busy.
MACHINES: dict[str, Any] = {
    "schema_version": 1,
    "topology": {"clusters": [{"machines": [
        {"cpus": 1, "constraint_shares": {"a": 1}}, {"cpus": 2, "constraint_shares": {"a": 0}},
        {"cpus": 2, "count": 4, "constraint_shares": {"a": 1}},
    ]}]},
    "constraints": {"catalogue": "custom", "custom": [{"name": "a", "machine_share": 0.5}]},
    "queues": [{"name": "left", "share": 0.5}, {"name": "right", "share": 0.5}],
    "workload": {"kind": "inline", "jobs": [
        {"arrival_s": 0, "queue": "left", "durations_s": [50] * 3, "demand": {"cpus": 2}, "constraints": ["a"]},
        {"arrival_s": 1, "queue": "right", "durations_s": [5], "demand": {"cpus": 2}, "constraints": ["a"]},
    ]},
    "events": [{"at_s": 0.5, "kind": "fail", "target": {"machine": 3}}],
    "scheduler": {"name": "kubernetes"},
}  # fmt: skip


def test_an_explanation_is_told_in_the_readers_language() -> None:
    experiment = Experiment.parse(MACHINES)
    answer = explain(experiment, 3, 2.0)
    look = {"state": "done", "answer": smallest_change(experiment, 3, 2.0)}
    english = [answer["answer"], *(group["sentence"] for group in answer["ruled_out"])]
    english += [text for one in look["answer"]["helps"] for text in (one["text"], one["sentence"])]
    assert len(english) > 8
    for spoken, expected in (("en", 0), ("de", len(english))):
        with translation.override(spoken):
            told = explained.explanation_told(answer, reasons.reworded("kubernetes", answer["decisions"]))
            change = explained.change_told(look)["answer"]
        texts = [told["answer"], *(group["sentence"] for group in told["ruled_out"])]
        texts += [text for one in change["helps"] for text in (one["text"], one["sentence"])]
        assert sum(mine != theirs for mine, theirs in zip(texts, english, strict=True)) == expected, texts
    assert scheduler_by_name("kubernetes").reasons, "its decisions are translated, too"


ONCE = "Task 5 of job 1 arrived at 100 ms, waited 2 s, 1.5 s of it in schedulers' queues, and ran on machine 1,203."


@pytest.mark.parametrize(
    ("changes", "until_s", "english"),
    [
        ({}, None, ONCE),
        ({}, 3.0, ONCE.replace("ran on", "runs on")),
        ({}, 1.1, "Task 5 of job 1 arrived at 100 ms and has waited 1 s; it starts at 2.1 s."),
        ({}, 0.05, "Task 5 of job 1 arrives at 100 ms."),
        ({"first_start_ns": -1}, None, "Task 5 of job 1 arrived at 100 ms and never started."),
        ({"attempts": 2, "lost_ns": 10**8, "framework_queuing_ns": 0}, None,
         "Task 5 of job 1 arrived at 100 ms and waited 2 s. In the whole run, it is preempted once: 100 ms of work is "
         "lost, its last start is at 4 s on machine 1,203."),
    ],
)  # fmt: skip
def test_a_tasks_own_times_are_told_in_the_readers_language(
    changes: dict[str, int], until_s: float | None, english: str
) -> None:
    row = {
        "task": 5, "job": 1, "arrival_ns": 10**8, "first_start_ns": 21 * 10**8, "last_start_ns": 4 * 10**9,
        "end_ns": 5 * 10**9, "machine": 1203, "attempts": 1, "lost_ns": 0, "framework_queuing_ns": 15 * 10**8,
        "processing_ns": 0, "communication_ns": 0, "worker_queuing_ns": 0,
    } | changes  # fmt: skip
    columns = {name: np.array([value]) for name, value in row.items()}
    until_ns = None if until_s is None else round(until_s * 1e9)
    assert parts._task_sentence(columns, until_ns) == english
    with translation.override("de"):
        german = parts._task_sentence(columns, until_ns)
    assert german.startswith("Task 5 von Job 1 kam bei 100 ms an" if "arrived" in english else "Task 5 von Job 1 kommt")
    assert not {"arrived", "waited", "started", "machine", "of", "1,203"} & set(german.strip(".").split())


def test_the_sentence_about_a_part_is_told_in_the_readers_language() -> None:
    meta = {"clusters": [{"name": "lm-0", "first": 0, "machines": 4}], "queues": [{"name": "left"}], "owners": []}
    summary = {"tasks": {"total": 9}, "jobs": {"total": 9}}
    figures = {"tasks": {"started": 1_234}, "wait_s": {"p50": 0.5, "p99": 1.25}}

    def told(kind: parts.EntityKind, **more: Any) -> str:
        part = parts._part(meta | {"machines": 4}, summary, kind, 0, None)
        return parts._sentence(part, figures | more)

    waits = "; half of them waited 500 ms or less, 99 % 1.25 s or less."
    assert told("queue") == f"Queue left had 1,234 tasks so far{waits}"
    assert told("machine", tasks={"started": 1}, wait_s=None) == "Machine 0 ran 1 task so far."
    with translation.override("de"):
        german = "; die Hälfte davon wartete höchstens 500 ms, 99 % höchstens 1,25 s."
        assert told("queue") == f"Warteschlange left hatte bisher 1.234 Tasks{german}"
        assert told("machine", tasks={"started": 1}, wait_s=None) == "Maschine 0 führte bisher 1 Task aus."


def test_a_text_with_an_unknown_part_stays_english() -> None:
    with translation.override("de"):
        assert explained.told("It was sent to worker 1,234.") == "Er wurde an Worker 1.234 geschickt."
        for text in ("It was sent to worker 3. Nobody knows this.", "It was sent to worker x.", "", "x" * 10_000):
            assert explained.told(text) == text
