"""Each number in a lesson's step is counted again: from the run that the step shows, or from what the step asks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import yaml

from playground.classes.exploring import knobs_of, parse_exploration
from playground.gallery.service import entry_of, experiment_of
from scheduler_core.recording.track import numbers
from tests.recorded import Recorded
from tests.says.results import happened
from tests.support import PROJECT

LESSONS = sorted((PROJECT / "fixtures" / "lessons").glob("*.yaml"))
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
#: The names of percentiles are no counts: a step that asks for one has the number in what it measures.
PERCENTILE = re.compile(r"\bp(\d\d)\b")
Step = dict[str, Any]


def shown(name: str) -> Recorded:
    return Recorded.read(PROJECT / "fixtures" / "known" / f"gallery-{name}.zip")


def shares(_step: Step) -> list[float]:
    """The queues' shares of the machines, in percent."""
    return [round(100 * queue["share"], 6) for queue in shown("four-queues").meta["queues"]]


def hundreds_of_preemptions(_step: Step) -> list[float]:
    """The machines of the run; hundreds of its tasks are preempted."""
    recorded = shown("four-queues")
    assert recorded.track is not None
    moves, throws = (
        recorded.track["moves"],
        [each["reason"] for each in recorded.meta["work"]["moves"] if each["role"] == "throw"],
    )
    preempted = set(numbers(moves["task"])[np.isin(numbers(moves["reason"]), throws)])
    assert 200 <= len(preempted) < 1000
    return [recorded.meta["machines"]]


def instant(step: Step) -> list[float]:
    """The instant at which the run of a question stands."""
    return [step["question"]["after_s"]]


def message_delay(_step: Step) -> list[float]:
    """The longest of the delays between which the lesson varies, in milliseconds."""
    lesson = yaml.safe_load((PROJECT / "fixtures" / "lessons" / "stale-view.yaml").read_text())
    asked = next(step["question"] for step in lesson["steps"] if step.get("question", {}).get("kind") == "curve")
    return [1000 * max(asked["values"])]


#: How the numbers of a text are counted again, by lesson and place; claims count those of comparisons (`checked`).
AGAIN: dict[tuple[str, str], Callable[[Step], list[float]]] = {
    ("is-it-fair", "steps.0.text"): shares,
    ("is-it-fair", "steps.0.notes"): hundreds_of_preemptions,
    ("is-it-fair", "steps.1.notes"): instant,
    ("stale-view", "guesses.0"): message_delay,
    ("stale-view", "steps.1.notes"): message_delay,
}
#: Numbers that claims check by runs of their own, by lesson and place.
CLAIMED = {("short-job", "steps.4.notes"): [30]}


def texts(value: Any, place: str = "") -> list[tuple[str, str]]:
    """The texts that a person reads, by their place."""
    if isinstance(value, dict):
        return [each for key, inner in value.items() for each in texts(inner, f"{place}.{key}".lstrip("."))]
    if isinstance(value, list):
        return [each for at, inner in enumerate(value) for each in texts(inner, f"{place}.{at}")]
    read = place.split(".")[-1] in ("text", "notes", "title", "point") or re.match(r"aims|guesses", place)
    return [(place, value)] if isinstance(value, str) and read else []


def test_a_machine_to_point_at_is_near_what_the_map_shows() -> None:
    """In the cluster around which the lesson shows a part of the map, so that it is in view on every screen."""
    found = 0
    for path in LESSONS:
        show: Step = {}
        for step in yaml.safe_load(path.read_text(encoding="utf-8"))["steps"]:
            show = step.get("show", show)
            if step.get("question", {}).get("kind") != "point":
                continue
            recorded = shown(show["gallery"])
            machine = happened(recorded.path, recorded.meta, step["question"])
            sizes = [cluster["machines"] for cluster in recorded.meta["clusters"]]
            clusters = np.repeat(np.arange(len(sizes)), sizes)
            assert clusters[machine] == clusters[show["near"]], (path.stem, machine)
            found += 1
    assert found


def bounds_of(parameter: Step, name: str) -> tuple[float, float] | None:
    """The bounds of an open parameter of a lesson on a run of the gallery; None for a choice."""
    data = experiment_of(entry_of(name=name))
    (knob,) = knobs_of(parse_exploration({"parameters": [parameter]}), data)
    return None if knob["least"] is None or knob["most"] is None else (knob["least"], knob["most"])


def test_an_open_parameter_reaches_the_values_that_its_lesson_asks_about() -> None:
    met = 0
    for path in LESSONS:
        steps = yaml.safe_load(path.read_text(encoding="utf-8"))["steps"]
        asked = {one["path"]: one["values"] for step in steps if (one := step.get("question", {})).get("path")}
        show: Step = {}
        for step in steps:
            show = step.get("show", show)
            for parameter in step.get("explore", {}).get("parameters", []):
                bounds = bounds_of(parameter, show["gallery"])
                if bounds is not None and parameter["path"] in asked:
                    low, high = bounds
                    assert low <= min(asked[parameter["path"]]) <= max(asked[parameter["path"]]) <= high, path.stem
                    met += 1
    assert met


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_numbers_of_a_lesson_are_counted_again(path: Any) -> None:
    lesson = yaml.safe_load(path.read_text(encoding="utf-8"))
    met = set()
    for place, text in texts(lesson):
        step = lesson["steps"][int(place.split(".")[1])] if place.startswith("steps") else {}
        measured = " ".join(str(step.get(kind, {})) for kind in ("question", "explore"))
        for percentile in PERCENTILE.findall(text):
            assert f"p{percentile}" in measured or (path.stem, place) in CLAIMED, (place, percentile)
        said = [float(each.replace(",", "")) for each in NUMBER.findall(PERCENTILE.sub("", text))]
        if not said:
            continue
        key = (path.stem, place)
        met.add(key)
        again = CLAIMED.get(key) or AGAIN[key](step)
        if key in CLAIMED:
            assert step["checked"], key
        assert said == again, key
    assert met == {key for key in (*AGAIN, *CLAIMED) if key[0] == path.stem}, "take it off the table"
