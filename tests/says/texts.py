"""Numbers in texts that somebody wrote: they are those of the text's file, which claims hold against runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tests.says.numbers import clock, plain, unexplained
from tests.says.source import Check, OfRun, Said

#: Slow motion plays so many times slower than the run.
SLOWER = "100"


def among(text: str, written: Iterable[str]) -> str:
    """What is wrong with a text that has to be one of these."""
    told = plain(text)
    return "" if told in map(plain, written) else f"nobody wrote {told!r}"


def holds_only(text: str, written: Iterable[str]) -> str:
    """What is wrong with a text whose numbers all stand in these."""
    rest = plain(text)
    for part in sorted(map(plain, written), key=len, reverse=True):
        rest = rest.replace(part, " ") if part else rest
    return unexplained(rest, [])


def _claim(one: Said, _of: str, run: OfRun) -> str:
    card = run.signature
    neighbor = card["neighbour"]
    return holds_only(one["text"], [*card["says"], card["waits"], f"{neighbor['label']}: {neighbor['short']}."])


def _turn(one: Said, _of: str, run: OfRun) -> str:
    return among(one["text"], [run.signature["turn"]["says"]])


def _moment_time(one: Said, _of: str, run: OfRun) -> str:
    end = float(run.recorded.frames[-1]["t_ns"])
    ways = [[each["label"], clock(each["t_ns"], end), SLOWER] for each in run.recorded.moments]
    return min((unexplained(one["text"], way) for way in ways), key=len, default="the recording has no moments")


def _moment_why(one: Said, _of: str, run: OfRun) -> str:
    return among(one["text"], [each["sentence"] for each in run.recorded.moments])


def _cue(one: Said, of: str, run: OfRun) -> str:
    steps = list(run.entry.tour) if run.entry else []
    moments = run.recorded.moments
    experiment = run.recorded.meta["experiment"]
    if of == "count":
        found = re.fullmatch(r"(\d+) / (\d+)", plain(one["text"]))
        right = found and 1 <= int(found[1]) <= int(found[2]) == 1 + len(steps) + len(moments)
        return "" if right else f"{one['text']!r}, but there are {1 + len(steps) + len(moments)} cues"
    if of == "title":
        asked = experiment.get("question") or experiment.get("name") or ""
        first = re.match(r".*?[.!?](?=\s|$)", asked)
        titles = [asked, first[0] if first else asked]
        return among(one["text"], [*titles, *(step.title for step in steps), *(each["label"] for each in moments)])
    return among(one["text"], [*(step.text for step in steps), *(each["sentence"] for each in moments)])


def _tour(one: Said, of: str, run: OfRun) -> str:
    steps = run.entry.tour
    if of == "step":
        return among(one["text"], [f"{at + 1} of {len(steps)}" for at in range(len(steps))])
    if of == "question":
        return among(one["text"], [run.entry.question])
    if of == "title":
        return among(one["text"], [step.title for step in steps])
    return among(one["text"], [text for step in steps for text in (step.text, f"{step.text} {step.there}")])


def _progress(one: Said, _of: str, source: Any) -> str:
    """How far a run is while its picture is not there yet."""
    return "" if not re.search(r"\d", one["text"]) or "%" in one["text"] else f"{one['text']!r} is no progress"


TEXTS: dict[str, Check] = {
    "claim:signature": _claim,
    "claim:turn": _turn,
    "moment:time": _moment_time,
    "moment:why": _moment_why,
    "cue": _cue,
    "tour": _tour,
    "run:progress": _progress,
}
