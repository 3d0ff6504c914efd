"""Numbers in a class, counted again: who is there, what they answered, and what the runs of a question gave."""

from __future__ import annotations

import re
from typing import Any

from scheduler_core import scheduler_by_name
from tests.says import results
from tests.says.numbers import measured, percent, unexplained, whole, with_unit
from tests.says.runs import fits
from tests.says.source import Check, OfClass, Said
from tests.says.texts import among, holds_only
from tests.says.waits import either

_SECONDS = re.compile(r" \(s\)$")
_MOST_SHOWN = 8


def words(value: float | str | None, unit: str) -> tuple[str, ...]:
    """A measured number or the value of a setting with its unit, as results write it."""
    if value is None or isinstance(value, str | bool):
        return (with_unit(value, unit),)
    return either(lambda at: with_unit(at, "share" if unit == "1" else unit), value)


def _people(one: Said, _of: str, source: OfClass) -> str:
    return unexplained(one["text"], [str(source.people), str(source.people)])


def _answered(one: Said, _of: str, source: OfClass) -> str:
    """How many answered: the projector counts the open question, the teacher's page every one."""
    if not one["desk"]:
        people = [str(source.people)] if source.question["state"] == "open" else []
        return unexplained(one["text"], [str(len(source.mine)), *people])
    lesson = source.teacher["lesson"]
    number = int(one["of"] or lesson["steps"][lesson["at"]]["question"])
    tied, spread = source.tied.get(number, 0), source.spread.get(number)
    open_ = [] if spread is None else [percent(spread)]
    return unexplained(one["text"], [str(len(source.answers.get(number, []))), *([str(tied)] if tied else []), *open_])


def _option(one: Said, of: str, source: OfClass) -> str:
    """The name of an option; of a machine or a task, which bars stand for, its number."""
    at, asked = int(of), source.asked
    if asked["kind"] == "point":
        return among(one["text"], [f"{asked.get('target', 'machine').capitalize()} {_pointed(source)[at]}"])
    if asked.get("schedulers"):
        return among(one["text"], [scheduler_by_name(asked["schedulers"][at]).label])
    value = asked["values"][at]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    unit = " s" if asked["path"].endswith("_s") else ""
    return among(one["text"], [f"{value:g}{unit}"]) if number else unexplained(one["text"], [])


def _pointed(source: OfClass) -> list[int]:
    """The machines or tasks of the bars: what happened in the run is among them, and all others were answers."""
    there: list[int] = source.question["result"]["machines"]
    assert source.happened is not None
    return (([] if source.happened in there else [source.happened]) + there)[:_MOST_SHOWN]


def _answers(one: Said, of: str, source: OfClass) -> str:
    """How many answered so, with the bar for them, and whether it is right."""
    at, pointed = int(of), source.asked["kind"] == "point"
    wanted = _pointed(source) if pointed else list(range(len(source.asked.get("schedulers") or source.asked["values"])))
    counts = [source.mine.count(each) for each in wanted]
    if sum(counts) != len(source.mine) and len(wanted) < _MOST_SHOWN:
        return f"{source.mine} are not all among {wanted}"
    wide = 100 * counts[at] / max(1, *counts)
    if abs(float(one["bar"].removesuffix("%")) - wide) > 0.01:
        return f"the bar of option {of} has {one['bar']} of its room, and not {wide} %"
    why = unexplained(one["text"], [str(counts[at])])
    if why or one["at"] is not None:
        return why
    right = wanted[at] == source.happened if pointed else at in results.measured(source).right
    return (
        "" if bool(one["right"]) == right else f"option {of} is {'' if right else 'not '}correct, and marked otherwise"
    )


def _runs(one: Said, of: str, source: OfClass) -> str:
    """What the runs gave: at the end the mean with its interval, while they play the number of that instant."""
    unit, result = source.question["unit"], source.question["result"]
    if one["at"] is not None:
        return fits(one["text"], [words(results.grown(result["growth"], float(one["at"]))[int(of)], unit)])
    found = results.measured(source)
    ends = found.ends[int(of)]
    spread = [words(end, unit) for end in ends] if ends and ends[0] != ends[1] else []
    if result["growth"] and (far := _far(found.means[int(of)], result["growth"]["values"][int(of)][-1])):
        return far
    return fits(one["text"], [words(found.means[int(of)], unit), *spread])


def _far(mean: float, last: float | None) -> str:
    """What is wrong with the last number that was played, which has four digits."""
    close = last is not None and abs(last - mean) <= 1e-3 * abs(mean)
    return "" if close else f"the runs played to {last}, and the result is {mean}"


def _all_runs(one: Said, _of: str, source: OfClass) -> str:
    """A curve: the number at each place, and the place itself."""
    question, found = source.question, results.measured(source)
    axis = question["axis"]
    unit = "s" if _SECONDS.search(axis) else ""
    expected: list[str | tuple[str, ...]] = []
    for at, (place, mean) in enumerate(zip(question["at"], found.means, strict=True)):
        name = f"{_SECONDS.sub('', axis)} " if not at else ""
        expected += [words(mean, question["unit"]), f"{name}{with_unit(place, unit)}"]
    return fits(one["text"], expected)


def _run_answer(one: Said, _of: str, source: OfClass) -> str:
    unit = source.question["unit"]
    own = _own_value(source)
    mine = [words(own, unit)] if own is not None else []
    return fits(one["text"], [words(results.measured(source).means[0], unit), *mine])


def _own_value(source: OfClass) -> Any:
    answers = (source.student or {}).get("answers") or []
    return next((each["value"] for each in answers if each["question"] == source.question["number"]), None)


def _interval(one: Said, _of: str, source: OfClass) -> str:
    ends = results.measured(source).ends[0]
    return fits(one["text"], [*(words(end, source.question["unit"]) for end in ends or ()), "95 %"])


def _measure(one: Said, _of: str, source: OfClass) -> str:
    return holds_only(one["text"], [source.question["measure"], *re.findall(r"p\d+", source.question["measure"])])


def _clock(one: Said, _of: str, _source: OfClass) -> str:
    return fits(one["text"], [measured(float(one["at"]) * 1e9)])


def _own_score(one: Said, _of: str, source: OfClass) -> str:
    if not re.search(r"\d", one["text"]):
        return ""
    return fits(one["text"], [either(percent, results.score(source, _own_value(source)))])


def _own_answer(one: Said, _of: str, source: OfClass) -> str:
    """The answer that is being given: the number in the field beside it, which is the one that was sent."""
    if not one["value"]:
        return unexplained(one["text"], [])
    given, sent = float(one["value"]), _own_value(source)
    if sent is not None and given != sent:
        return f"{given} is in the field, and {sent} was sent"
    return among(one["text"], [_on_scale(source, given)])


def _scale(one: Said, of: str, source: OfClass) -> str:
    return among(one["text"], [_on_scale(source, source.asked.get(of, float(of == "high")))])


def _on_scale(source: OfClass, value: float) -> str:
    """A value of a scale: one unit for all of it where that is short."""
    low, high, unit = source.asked.get("low", 0), source.asked.get("high", 1), source.question["unit"]
    is_short = unit == "s" and (low == 0 or low >= 0.1) and 1 <= high <= 10_000
    return f"{with_unit(value, '')} s" if is_short else words(value, unit)[0]


def _strokes(one: Said, _of: str, source: OfClass) -> str:
    """Strokes stand for intervals, and some place has one."""
    wide = [ends for ends in results.measured(source).ends if ends and ends[0] != ends[1]]
    return unexplained(one["text"], ["95 %"]) if wide else "no place has an interval"


def _told(one: Said, of: str, source: OfClass) -> str:
    """A text of the lesson, or of what its steps show and ask: on a projector or a phone, that of the step."""
    lesson, prepared = source.lesson, source.teacher["lesson"]["steps"] if source.teacher["lesson"] else []
    if not one["desk"]:
        return among(one["text"], [source.asked["text"] if of == "question" else source.step.text])
    if of == "question" and one["of"]:
        steps = [
            step for step, made in zip(lesson.steps, prepared, strict=True) if made.get("question") == int(one["of"])
        ]
        return among(one["text"], [steps[0].question["text"]] if steps else [])
    held = [lesson.title, *lesson.aims, *lesson.guesses, lesson.point, f"{lesson.minutes:g} min"]
    for at, (step, made) in enumerate(zip(lesson.steps, prepared, strict=True)):
        held += [f"{at + 1}.", (step.question or {}).get("text", ""), step.text, made["text"], made["name"]]
        notes = f"{step.minutes:g} min"
        held += [f"{notes} · {step.notes}", step.notes, notes]
    return holds_only(one["text"], held)


def _score(one: Said, _of: str, source: OfClass) -> str:
    return fits(one["text"], [either(lambda at: f"{at:.2f}", source.scores.get(int(one["student"]), 0.0))])


def _tried(one: Said, _of: str, source: OfClass) -> str:
    return unexplained(one["text"], [str(len(source.forks)), str(source.people)])


def _tried_by(one: Said, _of: str, source: OfClass) -> str:
    """What a student tried, on the teacher's page: the open parameters and the two axes."""
    explore = source.news["explore"]
    fork = next((each for each in source.forks if str(each["number"]) == one["fork"]), None)
    if fork is None:
        return f"there is no fork {one['fork']}"
    expected: list[str | tuple[str, ...]] = [fork["name"]]
    for name in dict.fromkeys([*(each["path"] for each in explore["knobs"]), explore["x"], explore["y"]]):
        label, unit = _named(explore, name)
        expected += [label, words(_on(fork, name), unit)]
    return fits(one["text"], expected)


def _named(explore: Any, name: str) -> tuple[str, str]:
    knobs = [{**each, "name": each["path"]} for each in explore["knobs"]]
    found = next(each for each in [*knobs, *explore["measures"]] if each["name"] == name)
    return found["label"], found["unit"]


def _on(fork: Any, name: str) -> Any:
    return fork["values"].get(name, (fork["figures"] or {}).get(name))


def _teachers(one: Said, of: str, source: OfClass) -> str:
    explore = source.news["explore"]
    values = {each["path"]: each["value"] for each in explore["knobs"]}
    return fits(one["text"], [words(_on({"values": values, "figures": explore["base"]}, of), _named(explore, of)[1])])


def _own(one: Said, of: str, source: OfClass) -> str:
    fork = (source.student or {}).get("fork")
    if fork is None:
        return unexplained(one["text"], [])
    return fits(one["text"], [words(_on(fork, of), _named(source.news["explore"], of)[1])])


def _preview(one: Said, _of: str, source: OfClass) -> str:
    """Where a band is drawn, it is one of 95 %; and where previews end."""
    explore = source.news["explore"]
    band = ["95 %"] if {explore["x"], explore["y"]} & explore["noise"].keys() else []
    return unexplained(one["text"], [*band, *([whole(explore["reduced"])] if explore["reduced"] is not None else [])])


def _settings(one: Said, _of: str, source: OfClass) -> str:
    explore = source.news["explore"]
    expected: list[str | tuple[str, ...]] = []
    for each in explore["spot_values"]:
        label, unit = _named(explore, each["path"])
        expected += [label, words(each["value"], unit)]
    return fits(one["text"], expected)


def _challenge(one: Said, of: str, source: OfClass) -> str:
    played = source.teacher["challenges"]
    if of == "title":
        return among(one["text"], [each["title"] for each in played])
    ways = [unexplained(one["text"], [str(each["entries"])]) for each in played]
    return min(ways, key=len, default="the class played no challenge")


CLASSES: dict[str, Check] = {
    "class:people": _people,
    "class:answered": _answered,
    "class:tried": _tried,
    "option": _option,
    "answers": _answers,
    "runs": _runs,
    "runs:all": _all_runs,
    "runs:within": _interval,
    "runs:measure": _measure,
    "run:answer": _run_answer,
    "run:settings": _settings,
    "clock": _clock,
    "own": _own,
    "own:score": _own_score,
    "own:answer": _own_answer,
    "scale": _scale,
    "runs:interval": _strokes,
    "teacher": _teachers,
    "lesson": _told,
    "preview:tasks": _preview,
    "student:score": _score,
    "student:tried": _tried_by,
    "challenge": _challenge,
}
