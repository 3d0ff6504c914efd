"""Why machines must stay on: every reason that the library can give has German words."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from django.utils import translation

from playground.asks.reasons import blocked_told
from scheduler_core.ask import reasons
from scheduler_core.ask.budgets import Budgets
from scheduler_core.ask.off import _broken
from scheduler_core.ask.points import Point
from scheduler_core.ask.promise import Promise
from scheduler_core.ask.question import Asked, Ran
from scheduler_core.studies.statistics import interval
from tests.support import PROJECT, small_experiment

pytestmark = pytest.mark.redis

PATTERNS = json.loads((PROJECT / "playground/locale/patterns/de.json").read_text(encoding="utf-8"))["ask"]


def in_german(*said: str, decisions: dict[str, object] | None = None) -> list[str]:
    answer = {"blocked_by": {str(number): one for number, one in enumerate(said)}, "blocked_said": decisions or {}}
    with translation.override("de"):
        return list(blocked_told(answer).values())


def test_every_reason_has_a_german_pattern_with_the_same_places() -> None:
    assert set(PATTERNS) == {*reasons.REASONS, *reasons.PARTS}
    for english, german in PATTERNS.items():
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", german)), english


def test_the_library_words_no_reason_elsewhere() -> None:
    """The three files that give reasons take them from `reasons`, so the test above sees them all."""
    for name in ("budgets", "off", "stock"):
        text = (PROJECT / f"scheduler_core/ask/{name}.py").read_text(encoding="utf-8")
        assert not re.search(r'"(?:With one machine|Disruption budget |Task \{|No other machine|Not tried)', text)


def test_budgets_are_told_with_their_numbers_and_names() -> None:
    budgets = Budgets(
        ("keep", "Machines"),
        (1, 2000),
        {0: Counter({(0, 0): 2}), 1: Counter({(0, 1): 1}), 2: Counter({(0, 1): 2000})},
        {3: 1234},
    )
    english = [budgets.refuses(0, frozenset()), budgets.refuses(1, frozenset([2])), budgets.refuses(3, frozenset())]
    assert in_german(*map(str, english)) == [
        "Das Disruption Budget keep erlaubt 1 Verdrängung zugleich: Von seinen Pods laufen 2 hier.",
        # A budget's name is no word to translate.
        "Das Disruption Budget Machines erlaubt 2.000 Verdrängungen zugleich: Von seinen Pods läuft 1 hier, und 2.000 "
        "auf Maschinen, die aus sind.",
        "Mehrere Disruption Budgets schützen Task 1.234, der hier läuft. Kubernetes verdrängt solche Pods nicht.",
    ]


def point(ran: Ran, *, lacks: bool) -> Point:
    return Point(1, (0.5,), interval([0.5]), False, lacks, (ran,))


def test_a_broken_promise_is_told_with_the_words_of_the_scheduler() -> None:
    from scheduler_core import Experiment

    asked = Asked(Experiment.parse(small_experiment()), Promise("makespan_s", "<=", 1.0), (1,), None)
    decisions: dict[str, object] = {}
    sentence = "No machine passed the filters for the task at attempt 2: 0/3 nodes are available: 3 Too many pods."
    said = {
        "template": "No machine passed the filters for the task at attempt {x}{told}",
        "arguments": {"x": "2", "told": ": 0/3 nodes are available: 3 Too many pods."},
    }
    waits = Ran({}, "stopped-at", stranded=1, stranded_why=sentence, stranded_task=1500, stranded_said=said)
    english = [
        _broken(asked, point(Ran({}, "drained"), lacks=False), decisions),
        _broken(asked, point(Ran({}, "stuck"), lacks=True), decisions),
        _broken(asked, point(waits, lacks=True), decisions),
    ]
    begin = "Ist auch eine Maschine dieser Art aus, "
    assert in_german(*english, decisions=decisions) == [
        begin + "beträgt makespan_s 0,5.",
        begin + "starten manche Tasks nie.",
        begin + "starten manche Tasks nie. Task 1.500 startet nirgends sonst. Keine Maschine bestand die Filter für "
        "den Task bei Versuch 2: 0/3 nodes are available: 3 Too many pods.",
    ]
    # Of an answer that was given before its sentences were kept, the last one stays English.
    assert in_german(english[-1])[0].endswith(f"Task 1.500 startet nirgends sonst. {sentence}")


def test_reasons_stay_as_they_are_in_english() -> None:
    answer = {"blocked_by": {"7": reasons.NOT_TRIED}}
    with translation.override("en"):
        assert blocked_told(answer) == answer["blocked_by"]
