"""Which machines may be switched off? A large set without which the promise still holds.

The largest such set is a hard problem (it contains bin packing). The search gives a set to which no further machine
can be added: it tries one machine of each kind that stays, and says what blocks it.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from scheduler_core.ask.answers import number_words
from scheduler_core.ask.checks import refuse_event
from scheduler_core.ask.off_plan import Periods, Plan, busy_periods, planned, planned_drains, told_plan
from scheduler_core.ask.points import Point, Points, lacking
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.ask.reasons import MEASURE, NEVER_START, NOT_TRIED, TASK_NEVER_STARTS
from scheduler_core.ask.search import Scale, boundary, most_values
from scheduler_core.ask.stock import Stock, stock_of
from scheduler_core.ask.works import Works
from scheduler_core.experiment.derived import machine_count
from scheduler_core.experiment.fields import Number, Part, whole

_MOST_KINDS = 16
Off = frozenset[int]


class Options(Part):
    """For how long machines are off."""

    from_s: Annotated[float, Number(0, 1e9, "s")] = 0.0
    """When they are switched off, in simulated seconds. Running tasks finish first."""
    until_s: Annotated[float, Number(0, 1e9, "s", above=True)] | None = None
    """When they are on again. Absent: they stay off."""
    kinds: Annotated[int, whole(1_000)] = _MOST_KINDS
    """Most kinds of machines of which one more is tried."""
    periods: Annotated[int, whole(168, 2)] | None = None
    """Make a plan: divide the time up to `until_s`, or to the run's end, into so many periods, such as 24 hours."""
    price: Annotated[float, Number(0, 1e9)] | None = None
    """What a machine costs an hour; a plan then says what it saves."""


def _values(asked: Asked) -> int:
    refuse_event(asked, _time(asked) | {"target": {"machine": 0}})
    machines = machine_count(asked.experiment.topology)
    if asked.options.periods is not None:
        return int(2 + asked.options.periods * (2 + machines.bit_length()))
    return 1 + most_values(1, machines) + int(asked.options.kinds)


def _made(asked: Asked, found: Mapping[str, Any], tried: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the experiment of the answer, or as it is: of other tried values, the answer has only the numbers."""
    data = Works(asked.experiment, limits=asked.limits).data(asked.seeds[0])
    plan = found.get("plan") or []
    if tried["value"] in (0, [0] * len(plan)):
        return data
    is_answer = tried["value"] == [len(row["machines"]) for row in plan] if plan else tried.get("answer")
    if not is_answer:
        return None
    stock = stock_of(asked.experiment, asked.limits, asked.resolve_trace)
    events = planned_drains(plan, _kind(stock)) if plan else _drains(asked, stock, frozenset(found["answer"]))
    return data | {"events": [*data["events"], *events]}


def _kind(stock: Stock) -> str:
    """Return the kind of event that switches a machine off."""
    return "fail" if stock.evicts else "drain"


def _steps(asked: Asked) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    stock = stock_of(asked.experiment, asked.limits, asked.resolve_trace)
    works = Works(asked.experiment, limits=asked.limits)

    def make(off: Off, seed: int) -> dict[str, Any]:
        data = works.data(seed)
        return data | {"events": [*data["events"], *_drains(asked, stock, off)]}

    if asked.options.periods is not None:
        return (yield from _plan_steps(asked, stock, works))
    points = Points(asked, make)
    nothing: Off = frozenset()
    now = yield from points.one(nothing, placements=True)
    points.unplaced = tuple(lacking(one) for one in now.ran)
    stock = stock.evicting(now, [asked.options.from_s * 1e9])
    order = stock.order(now)
    most = len(order)  # the last one stays: nothing runs without a machine

    def first(on: int) -> Off:
        return frozenset(order[: stock.machines - on])

    scale = Scale(points, stock.machines - most, stock.machines, stock.machines, first)
    found = yield from boundary(scale)
    if found.answer is None:
        return _nothing(asked, points, now, found.monotone)
    if stock.evicts:
        asked.notes += _evicts(stock)
    off = first(found.answer)
    off, blocked, said = yield from _extended(points, stock, off)
    last = yield from _placed(points, off)
    moves = _moves(stock, now, last, off)
    low, high = (None if on is None else stock.machines - on for on in (found.high, found.low))
    tried = _tried(points, off)
    # Of one number of machines, some sets keep the promise and others do not: none above the answer does.
    fails_at = min((one["value"] for one in tried if one["value"] > len(off)), default=None)
    return {
        "answer": sorted(off),
        "machines_off": len(off),
        "low": low,
        "high": None if high is None else max(high, len(off)),
        "fails_at": fails_at,
        "monotone": found.monotone,
        "moves": moves,
        "blocked_by": blocked,
        "blocked_said": said,
        "now": _told(now, nothing),
        "tried": tried,
        "sentence": _sentence(asked, stock, off, last, moves),
    }


def _plan_steps(asked: Asked, stock: Stock, works: Works) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    """Answer with a plan by periods."""
    kind = _kind(stock)
    shape: dict[str, Any] = {"order": [], "periods": Periods(asked.options.periods, asked.options.until_s or 1.0)}

    def make(plan: Plan, seed: int) -> dict[str, Any]:
        data = works.data(seed)
        return data | {"events": [*data["events"], *shape["periods"].drains(plan, shape["order"], kind)]}

    points = Points(asked, make, told=list)
    nothing: Plan = (0,) * asked.options.periods
    now = yield from points.one(nothing, placements=True)
    points.unplaced = tuple(lacking(one) for one in now.ran)
    if asked.options.until_s is None:
        last_s = max(float(one.end_ns.max(initial=0)) for one in now.ran) / 1e9
        shape["periods"] = Periods(asked.options.periods, last_s)
    periods: Periods = shape["periods"]
    stock = stock.evicting(now, [number * periods.length_s * 1e9 for number in range(periods.count)])
    asked.notes += _evicts(stock)
    order = shape["order"] = stock.order(now)
    if not now.kept:
        return _nothing(asked, points, now, True)
    plan = yield from planned(points, periods, busy_periods(periods, now), len(order))
    points.known.pop(plan, None)
    last = yield from points.one(plan, placements=True)
    off = frozenset(order[: max(plan)])
    return {
        "answer": sorted(off), "machines_off": len(off), "low": None, "high": None, "fails_at": None, "monotone": None,
        **told_plan(periods, plan, order, last, stock, asked.options.price),
        "moves": _moves(stock, now, last, off), "blocked_by": {}, "blocked_said": {},
        "now": now.to_dict() | {"value": 0},
        "tried": [points.known[one].to_dict() for one in sorted(points.known)],
        "sentence": _plan_sentence(plan, stock),
    }  # fmt: skip


def _plan_sentence(plan: Plan, stock: Stock) -> str:
    least, most = min(plan), max(plan)
    some = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return f"{some} of {stock.machines:,} machines may be off, by the period."


def _time(asked: Asked) -> dict[str, Any]:
    """Return a drain without its target."""
    time: dict[str, Any] = {"at_s": asked.options.from_s, "kind": "drain"}
    if asked.options.until_s is not None:
        time["duration_s"] = asked.options.until_s - asked.options.from_s
    return time


def _drains(asked: Asked, stock: Stock, off: Off) -> list[dict[str, Any]]:
    """Return the events that switch machines off; a whole rack is one event."""
    time = _time(asked) | {"kind": _kind(stock)}
    racks = [rack for rack, members in stock.racks.items() if off.issuperset(members)]
    whole = {machine for rack in racks for machine in stock.racks[rack]}
    targets = [{"rack": rack} for rack in racks] + [{"machine": machine} for machine in sorted(off - whole)]
    return [time | {"target": target} for target in targets]


def _extended(
    points: Points, stock: Stock, off: Off
) -> Generator[Sequence[Run], Sequence[Ran], tuple[Off, dict[str, str], dict[str, Any]]]:
    """Add machines of each kind while the promise holds; return the set, and what blocks each machine that stays.

    The last part has the scheduler's sentences in these reasons: template and arguments by sentence.
    """
    asked = points.asked
    blocked: dict[str, str] = {}
    said: dict[str, Any] = {}
    kinds = stock.kinds(off)
    for number, members in enumerate(kinds):
        free = stock.budgets.together((one for one in members if stock.needed(one, off) is None), off)
        reason = NOT_TRIED
        if free and number < asked.options.kinds:
            off, point = yield from _more(points, off, free)
            reason = "" if point is None else _broken(asked, point, said)
        for machine in members:
            if machine not in off:
                blocked[str(machine)] = stock.needed(machine, off) or reason
    return off, {name: blocked[name] for name in sorted(blocked, key=int)}, said


def _more(
    points: Points, off: Off, free: list[int]
) -> Generator[Sequence[Run], Sequence[Ran], tuple[Off, Point | None]]:
    """Switch off as many of these machines as keep the promise; return the set, and the point that breaks it."""
    width, start = 1, 0
    while start < len(free):
        part = free[start : start + width]
        point = yield from points.one(off | frozenset(part))
        if point.kept:
            off, start, width = off | frozenset(part), start + width, width * 2
        elif width > 1:
            width //= 2
        else:
            return off, point
    return off, None


def _broken(asked: Asked, point: Point, said: dict[str, Any]) -> str:
    """Return why a point breaks the promise; the scheduler's sentence in it goes into `said` as well."""
    if point.measured is not None and not point.lacks:
        return MEASURE.format(measure=asked.promise.measure, number=number_words(point.measured))
    ran = next((one for one in point.ran if one.stranded_why), None)
    if ran is None:
        return NEVER_START
    said[ran.stranded_why] = ran.stranded_said
    return TASK_NEVER_STARTS.format(number=f"{ran.stranded_task:,}", decision=ran.stranded_why)


def _placed(points: Points, off: Off) -> Generator[Sequence[Run], Sequence[Ran], Point]:
    """Run the answer once more for the machines of its tasks, which no other value needs."""
    points.known.pop(off, None)
    return (yield from points.one(off, placements=True))


def _evicts(stock: Stock) -> list[str]:
    """Return what a reader must know about evictions."""
    if not stock.evicts:
        return []
    notes = ["A machine that goes off evicts the tasks that run on it. They start again elsewhere."]
    if stock.budgets.names:
        notes.append(
            "Disruption budgets count the tasks of all machines that go off together, where these tasks run with all "
            "machines on. A drain that waits between machines may take more."
        )
    return notes


def _moves(stock: Stock, now: Point, last: Point, off: Off) -> list[dict[str, int | None]]:
    """Return where each task goes that ran on a machine of the set, under the first seed.

    Tasks that end with their machine are left out.
    """
    before, after = now.ran[0].machines, last.ran[0].machines
    moved = np.flatnonzero(np.isin(before, sorted(off)) & (before != after))
    return [
        {"task": int(task), "from": int(before[task]), "to": None if after[task] < 0 else int(after[task])}
        for task in moved
        if int(task) not in stock.bound
    ]


def _told(point: Point, off: Off) -> dict[str, Any]:
    return point.to_dict() | {"value": len(off)}


def _tried(points: Points, answer: Off = frozenset()) -> list[dict[str, Any]]:
    if points.told is list:
        return points.tried()
    rows = []
    for off in sorted(points.known, key=lambda one: (len(one), sorted(one))):
        # Several sets may have as many machines as the answer.
        mark = {"answer": True} if answer and off == answer else {}
        rows.append(_told(points.known[off], off) | mark)
    return rows


def _nothing(asked: Asked, points: Points, now: Point, monotone: bool) -> dict[str, Any]:
    measure, value = asked.promise.measure, number_words(now.measured)
    return {
        "answer": [], "machines_off": 0, "low": None, "high": None, "fails_at": 0, "monotone": monotone, "moves": [],
        "blocked_by": {}, "blocked_said": {}, "now": _told(now, frozenset()), "tried": _tried(points),
        "sentence": f"The promise is broken with all machines on: {measure} is {value}.",
    }  # fmt: skip


def _sentence(asked: Asked, stock: Stock, off: Off, last: Point, moves: list[Any]) -> str:
    measure = asked.promise.measure
    if not off:
        return f"No machine may be switched off: {measure} is {number_words(last.measured)} with all machines on."
    what = "1 machine" if len(off) == 1 else f"{len(off):,} machines"
    moved = "1 task moves" if len(moves) == 1 else f"{len(moves):,} tasks move"
    return (
        f"{what} of {stock.machines:,} may be switched off: {measure} is then {number_words(last.measured)}, and "
        f"{moved} to other machines."
    )


QUESTION = Question(
    "off",
    "Which machines may be switched off?",
    "Find a large set of machines that may be switched off without breaking a promise.",
    Options,
    _values,
    _steps,
    _made,
)
