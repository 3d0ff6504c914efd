"""Numbers of a run, counted again from its recording: a check for each sort of `data-says` that speaks of a run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from tests.recorded_tasks import Tasks
from tests.says import waits
from tests.says.moves import Moves
from tests.says.names import bare_name, queue_name
from tests.says.numbers import (
    axis_seconds,
    duration,
    factor,
    measured,
    percent,
    plain,
    short,
    three,
    unexplained,
    whole,
)
from tests.says.source import Check, OfRun, Said
from tests.says.waits import either

_LARGE = 1e8
_LEAST_SHARE, _HARDLY_S = 0.05, 0.01
_MOST, _ALL = 0.6, 0.95


def fits(text: str, expected: Iterable[str | tuple[str, ...]]) -> str:
    """What is wrong with the numbers of a text; a tuple holds the ways in which one of them may be written."""
    chosen = []
    for one in expected:
        ways = (one,) if isinstance(one, str) else one
        chosen.append(next((way for way in ways if plain(way) in plain(text)), ways[0]))
    return unexplained(text, chosen)


def only(text: str, allowed: Iterable[str | tuple[str, ...]]) -> str:
    """What is wrong with a text whose numbers may be some of these, in any order."""
    rest = plain(text)
    flat = [way for one in allowed for way in ((one,) if isinstance(one, str) else one)]
    for one in sorted(map(plain, flat), key=len, reverse=True):
        rest = re.sub(rf"(?<![\d.,]){re.escape(one)}(?!\d|[.,]\d)", " ", rest)
    return unexplained(rest, [])


def _counter(one: Said, of: str, run: OfRun) -> str:
    count = run.now.counters[of]
    return unexplained(one["text"], [whole(count) if count < _LARGE else short(count)])


def _now(one: Said, _of: str, run: OfRun) -> str:
    waiting, load = run.now.counters["tasks_waiting"], run.now.load
    busy = 0 if load is None else int((load > 0).sum())
    return unexplained(
        one["text"], [whole(busy), whole(run.recorded.meta["machines"]), *([whole(waiting)] if waiting else [])]
    )


def _histogram(one: Said, run: OfRun) -> Any:
    """The frame whose waits the page shows: at rest, those of the whole run."""
    return run.recorded.at(run.recorded.frames[-1]["seq"]) if one.get("rests") else run.now


def values(one: Said, run: OfRun) -> list[dict[str, float | None]]:
    """The percentiles that the page may show: of the frame, and the exact ones of the run once it has ended."""
    then = _histogram(one, run)
    drawn = {name: waits.percentile(then.edges, then.bins, share) for name, share in waits.SHARES.items()}
    if not (run.final and (run.ended or one.get("rests"))):
        return [drawn]
    name = run.recorded.meta["hists"][0]["name"]
    exact = {each: at * 1e9 for each, at in run.final[f"{name}_s"].items() if each in drawn and at is not None}
    # A page that is still being filled does not know that this frame is the last.
    return [drawn | exact] if one.get("whole", True) else [drawn, drawn | exact]


def _percentile(one: Said, of: str, run: OfRun) -> str:
    wrong = []
    for found in values(one, run):
        value = found[of]
        if value is None:
            wrong.append("" if one["text"] in ("–", "") else f"{one['text']!r}, but no task has started")
            continue
        at_once = value < waits.FLOOR_NS and "at once" in one["text"]
        wrong.append("" if at_once else fits(one["text"], [either(measured, value)]))
    return min(wrong, key=len)


def _before(one: Said, of: str, run: OfRun) -> str:
    if run.before is None:
        return f"{one['text']!r} speaks of a run before, and there is none"
    whole_run = run.before.between(float("inf"), float("inf"))
    frames = run.before.between(run.now.t_ns, run.next_ns) + (whole_run if run.ended or one.get("rests") else [])
    wrong = [f"{one['text']!r}: no frame of the run before"]
    for then in frames:
        value = waits.percentile(then.edges, then.bins, waits.SHARES[of])
        none = value is None or (value < waits.FLOOR_NS and "no time" in one["text"])
        wrong.append("" if none else fits(one["text"], [either(measured, value or 0)]))
    if (run.ended or one.get("rests")) and run.before.summary:
        # At its end, the exact percentiles of both runs stand beside each other.
        exact = run.before.summary[f"{run.before.meta['hists'][0]['name']}_s"][of]
        wrong.append("" if exact is None else fits(one["text"], [either(measured, exact * 1e9)]))
    return min(wrong, key=len)


def _waits_caption(one: Said, _of: str, run: OfRun) -> str:
    wrong = []
    for found in values(one, run):
        p50, p99 = found["p50"], found["p99"]
        if p50 is None or p99 is None:
            wrong.append("a caption of waits, but no task has started")
        elif p99 < waits.FLOOR_NS:
            wrong.append(unexplained(one["text"], ["99", "100"]))
        else:
            half = [either(measured, p50)] if p50 >= waits.FLOOR_NS else []
            wrong.append(fits(one["text"], ["1", "100", either(measured, p99), *half]))
    return min(wrong, key=len)


def _jobs_caption(one: Said, _of: str, run: OfRun) -> str:
    if not run.final:
        return "times of jobs, but the run has not ended"
    took = run.final["job_completion_s"]
    return fits(one["text"], [either(measured, took[name] * 1e9) for name in ("mean", "p50")])


def _recorded_starts(one: Said, _of: str, run: OfRun) -> str:
    if not run.final:
        return "starts beside recorded ones, but the run has not ended"
    starts = run.final["recorded_starts"]
    within, jobs, earlier, later = (whole(starts[name]) for name in ("within_60_s", "jobs", "earlier", "later"))
    mean = either(duration, (starts["error_s"]["mean"] or 0) * 1e9)
    return fits(one["text"], [within, jobs, "60", earlier, later, mean])


def _within_caption(one: Said, _of: str, run: OfRun) -> str:
    then = _histogram(one, run)
    limit = waits.round_wait(then)
    now: list[str | tuple[str, ...]] = [either(percent, waits.within(then, limit)), measured(limit)]
    if run.before is None:
        return fits(one["text"], now)
    whole_run = run.before.between(float("inf"), float("inf"))
    frames = run.before.between(run.now.t_ns, run.next_ns) + (whole_run if run.ended or one.get("rests") else [])
    wrong = [fits(one["text"], now)]
    wrong += [fits(one["text"], [*now, either(percent, waits.within(each, limit))]) for each in frames]
    return min(wrong, key=len)


def _queue(one: Said, of: str, run: OfRun) -> str:
    count, squares, room = int(one["text"].replace(",", "")), int(one["squares"]), int(one["room"])
    return "" if squares == min(count, room) else f"{count} in the box {of}, but {squares} squares of {room}"


def boxes(said: list[Said], run: OfRun) -> str:
    """What is wrong with all boxes of a picture together."""
    counts = [int(one["text"].replace(",", "")) for one in said if one["says"].startswith("queue:")]
    waiting = run.now.counters["tasks_waiting"]
    if not counts or run.slow:
        return ""
    if sum(counts) > waiting:
        return f"{counts} in boxes, but {waiting} tasks wait"
    near = next(one["near"] for one in said if one["says"].startswith("queue:"))
    if run.recorded.track is None or not near or not one_instant(said):
        return ""
    if not hasattr(run.recorded, "tasks"):
        run.recorded.tasks = Tasks(run.recorded)  # type: ignore[attr-defined]
    standing = run.recorded.tasks.standing(run.now.t_ns, len(counts))  # type: ignore[attr-defined]
    # A frame counts a task no more whose second launch is on its way, which a track does not tell.
    right = sum(counts) == min(sum(standing), waiting) and (counts == standing or sum(counts) < sum(standing))
    return "" if right else f"{counts} in boxes, but {standing} tasks stand there"


def one_instant(said: list[Said]) -> bool:
    """Whether the picture stands: while it plays, boxes go on between two looks of the page's numbers."""
    return all(one.get("stands", True) for one in said)


def _waiting(one: Said, _of: str, run: OfRun) -> str:
    count, found = run.now.counters["tasks_waiting"], waits.over(run.recorded)
    if not count:
        return "" if plain(one["text"]) == "No task waits now." else f"{one['text']!r}, but no task waits"
    if found is None:
        return "a sentence about an instant, but the recording does not tell where tasks wait"
    span = min(found.groups[0].parts.shape[1] - 1, int(run.now.t_ns // found.span_ns))
    expected: list[str | tuple[str, ...]] = [whole(count)]
    parts = found.groups[0].parts[:, span]
    total = float(parts.sum())
    placed = _placed(count, run)
    if total and placed:
        share = float(parts.max()) / total
        place = waits.PLACES[int(parts.argmax())]
        if place not in one["text"]:
            return f"{one['text']!r} does not say {place!r}"
        expected += [] if share > _ALL else [either(percent, share)]
    expected += _group(found, span, total) if placed else []
    if run.now.load is not None and any(each.get("role") == "load" for each in run.recorded.meta["layers"]):
        full = float((run.now.load == 255).mean())
        expected += [] if full > 0.995 or full < 0.005 else [either(percent, full)]
    return fits(one["text"], expected)


def _placed(count: int, run: OfRun) -> bool:
    """Whether most of some waiting tasks start: parts of waits are known only of these."""
    final = run.final or {}
    groups = final.get("waiting_groups") or [] if final.get("finished") == "stuck" else []
    never = max(sum(each["tasks"] for each in groups), final.get("tasks", {}).get("unschedulable") or 0)
    return bool(2 * never < count)


def _group(found: waits.Over, span: int, total: float) -> list[str | tuple[str, ...]]:
    """How the sentence names the group that has most of the waiting tasks around an instant."""
    others = [(float(one.parts[:, span].sum()), one) for one in found.groups if one.kind != "all"]
    if not others or not total:
        return []
    most, group = max(others, key=lambda each: each[0])
    share = most / total
    if share < _MOST:
        return []
    told: list[str | tuple[str, ...]] = [either(percent, share)] if share <= _ALL else []
    if group.kind != "queue":
        return told
    name = bare_name(group.name)
    return [name, *told] if share > _ALL else [*told, name]


def _bottleneck(one: Said, _of: str, run: OfRun) -> str:
    """The sentence about the whole run's waits."""
    if not run.final:
        return ""
    first = waits.rows_of(run.final)[0]
    never = run.final["tasks"].get("unschedulable") or 0
    numbers: list[str | tuple[str, ...]] = [whole(never)] if never else []
    if first["mean_s"] < _HARDLY_S:
        return fits(one["text"], [either(lambda at: measured(at * 1e9), first["mean_s"]), *numbers])
    shares = [either(percent, max(first["shares"])), either(percent, first["free"] or 0)]
    if not re.search(r"\d", one["text"]):
        return f"{one['text']!r} states no number"
    return only(one["text"], [*shares, *numbers])


def _wait_shares(one: Said, _of: str, run: OfRun) -> str:
    """The larger parts of the wait of all tasks."""
    if not run.final:
        return ""
    shares = waits.rows_of(run.final)[0]["shares"]
    return fits(one["text"], [either(percent, share) for share in shares if share >= _LEAST_SHARE])


def _wait_means(one: Said, _of: str, run: OfRun) -> str:
    """Waits over time with their peak, and the mean wait of each group."""
    if not run.final:
        return ""
    expected: list[str | tuple[str, ...]] = []
    found = waits.over(run.recorded)
    if found is not None:
        sums = found.groups[0].parts.sum(axis=0)
        span, peak, at_ns = _peak(run, found)
        expected += [whole(max(1, peak)), "0", axis_seconds(found.until_ns / 1e9)]
        expected += [duration(at_ns), whole(peak)] if peak else []
        share = float(found.groups[0].parts[:, span].max() / sums[span]) if peak and sums[span] else 1.0
        expected += [either(percent, share)] if share <= _ALL and _placed(peak, run) else []
    rows = waits.rows_of(run.final)
    for row in rows:
        expected += [queue_name(row["name"])] if row["kind"] == "queue" else []
        expected += [either(lambda at: measured(at * 1e9), row["mean_s"])]
    ends = waits.curve_ends(rows)
    expected += [axis_seconds(end) for end in ends] if ends else []
    return fits(one["text"], expected)


def _peak(run: OfRun, found: waits.Over) -> tuple[int, int, float]:
    """The span, the number and the instant of the most waiting tasks: no frame has more."""
    sums = found.groups[0].parts.sum(axis=0)
    fullest, frames = int(sums.argmax()), run.recorded.frames
    most = max(frames, key=lambda each: each["counters"].get("tasks_waiting", 0))
    tasks, at_ns = most["counters"].get("tasks_waiting", 0), float(most["t_ns"])
    if tasks and tasks >= sums[fullest]:
        return min(len(sums) - 1, int(at_ns // found.span_ns)), tasks, at_ns
    mean = math.ceil(sums[fullest]) if sums[fullest] >= 1 else 0
    return fullest, mean, (fullest + 0.5) * found.span_ns


def _stuck(one: Said, _of: str, run: OfRun) -> str:
    """The tasks that wait forever."""
    if not run.final or run.final.get("finished") != "stuck":
        return f"{one['text']!r}, but the run is not stuck"
    groups = run.final.get("waiting_groups") or []
    expected = [whole(sum(each["tasks"] for each in groups))]
    for each in groups:
        expected += [bare_name(each["queue"]), whole(each["tasks"]), whole(each["first_task"]), each["reason"]]
    return unexplained(one["text"], expected)


def _never(one: Said, _of: str, run: OfRun) -> str:
    """The tasks that no machine can hold."""
    tasks = (run.final or {}).get("tasks", {})
    counts = [tasks.get("unschedulable") or 0, tasks.get("dropped") or 0]
    return unexplained(one["text"], [whole(count) for count in counts if count])


def _cutoff(one: Said, _of: str, run: OfRun) -> str:
    """The jobs that a cut-off puts into the wrong class, all jobs, and the boundary of the work."""
    own, work = ((run.final or {}).get(name) for name in ("by_class", "by_work_class"))
    if not own or not work:
        return "the summary has no classes"
    jobs = own["short"]["jobs"] + own["long"]["jobs"]
    astray = abs(own["short"]["jobs"] - work["short"]["jobs"])
    return only(one["text"], [whole(jobs), whole(astray), duration(work["cutoff_s"] * 1e9)])


def _constraint(one: Said, of: str, run: OfRun) -> str:
    """A row of the table of constraints."""
    rows = ((run.final or {}).get("constraint_waits") or {}).get("rows") or []
    row = next((each for each in rows if (each["constraint"] or "") == of), None)
    if row is None:
        return f"the summary has no constraint {of!r}"
    if one["says"].startswith("tasks:"):
        return unexplained(one["text"], [short(row["tasks"])])
    mean = row["wait_s"]["mean"]
    return "" if mean is None else fits(one["text"], [either(lambda at: measured(at * 1e9), mean)])


def _figure(figure: Any, summary: Any) -> float | None:
    """A number of a scheduler's card: a sum over another one."""

    def total(paths: Iterable[str]) -> float | None:
        found: float = 0
        for path in paths:
            at: Any = summary
            for part in path.split("."):
                at = at.get(part) if isinstance(at, dict) else None
            if not isinstance(at, int | float):
                return None
            found += at
        return found

    above, below = total(figure["of"]), total(figure["per"]) if figure["per"] else 1
    return None if above is None or not below else above / below


def figure_text(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    if unit == "%":
        return percent(value)
    return measured(value * 1e9) if unit == "s" else f"{three(value)} {unit}".strip()


def _signature(one: Said, _of: str, run: OfRun) -> str:
    """The number to watch, from the run's own summary."""
    number = run.signature["number"]
    value = _figure(number, run.final) if run.final else None
    return unexplained(one["text"], [figure_text(value, number["unit"])])


def _neighbor(one: Said, _of: str, run: OfRun) -> str:
    """The neighbor's number on the same workload, which another run gave; the own one is that of this run."""
    card = run.signature
    compared, (mine, theirs) = card["compared"], card["recorded"]["compared"]
    own, other = figure_text(mine, compared["unit"]), figure_text(theirs, compared["unit"])
    if run.final and run.final["experiment_digest"] == card["recorded"]["digest"]:
        again = figure_text(_figure(compared, run.final), compared["unit"])
        if again != own:
            return f"the recorded number is {own}, and the run gives {again}"
    shown = [factor(max(mine / theirs, theirs / mine))] if mine and theirs else []
    if run.final and run.final["experiment_digest"] != card["recorded"]["digest"]:
        return unexplained(one["text"], [compared["label"], own, other])
    named = [] if compared["label"] == card["number"]["label"] else [compared["label"], own]
    return unexplained(one["text"], [*named, card["neighbour"]["label"], other, *shown])


def _moving(one: Said, _of: str, run: OfRun) -> str:
    """The sentence about what moves: its tasks, jobs and machines belong together in the track."""
    # Slow motion shows instants between two frames, so that a task may have arrived since this one.
    last = run.recorded.at(run.recorded.frames[-1]["seq"])
    return Moves(run.recorded).wrong(one["text"], last.counters["tasks_arrived"])


RUNS: dict[str, Check] = {
    "counter": _counter,
    "now": _now,
    "percentile": _percentile,
    "before": _before,
    "hist:waits": _waits_caption,
    "hist:within": _within_caption,
    "hist:jobs": _jobs_caption,
    "queue": _queue,
    "waiting": _waiting,
    "run:bottleneck": _bottleneck,
    "run:wait-shares": _wait_shares,
    "run:wait-means": _wait_means,
    "run:stuck": _stuck,
    "run:never": _never,
    "run:cutoff": _cutoff,
    "tasks": _constraint,
    "mean-wait": _constraint,
    "run:signature": _signature,
    "run:recorded-starts": _recorded_starts,
    "run:neighbor": _neighbor,
    "track:now": _moving,
}
