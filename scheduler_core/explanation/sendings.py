"""List the machines that one task went to, for schedulers that send each task separately.

It names the workers that a scheduler compared, asked or remembered, where the task waited for how long, and who got it.
The compiled loops write these notes while a user watches a task (schedulers.shared.probing.notes).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.engine.records import NEVER, NOBODY
from scheduler_core.run.telling import duration
from scheduler_core.schedulers.shared.probing.notes import (
    ANSWERED,
    ARRIVED,
    COMPARED,
    DROPPED,
    REFUSED,
    REMEMBERED,
    SENT,
    SERVED,
    TAKEN,
)

_NS = 1e9
_LOOKED = (COMPARED, ANSWERED, REMEMBERED)


@dataclass
class Stay:
    """The task at a worker. Sent back or dropped at once, it stays for no time."""

    from_ns: int
    ahead: int | None  # None: it waits beside the queue
    until_ns: int | None = None
    end: str = "waiting"  # then: given, refused, dropped, shed, stopped, or upgraded, when it joins the queue there


@dataclass
class Place:
    """A worker that a look found, or that received the task."""

    worker: int
    how: int = NOBODY  # COMPARED, ANSWERED or REMEMBERED
    known: int = 0  # the wait in ns, those in front, or how old the news is in ns
    sent_ns: int | None = None
    stays: list[Stay] = field(default_factory=list)

    @property
    def end(self) -> str:
        """What became of the task there, or of the worker in the look."""
        if self.stays:
            return self.stays[-1].end
        if self.sent_ns is not None:
            return "on its way"
        if self.how == COMPARED:
            return "full" if self.known == NEVER else "compared"
        return "answered" if self.how == ANSWERED else "remembered"


@dataclass
class Look:
    """Workers of one comparison, and the chosen one, if any."""

    t_ns: int
    places: list[Place] = field(default_factory=list)
    chosen: Place | None = None

    def seen(self, how: int) -> list[Place]:
        """Return those that it knew of in one way."""
        return [place for place in self.places if place.how == how]


def sendings_told(notes: Any, task: int, most: int) -> dict[str, Any] | None:
    """Return the sendings in the form of explanation.probes.probes_told with `of` "task"; None if there are none."""
    looks = followed(notes)
    if not looks:
        return None
    told = [look for look in looks if look.chosen is not None or look is looks[-1]]
    places = [(look, place) for look in told for place in _ordered(look)]
    places.sort(key=lambda both: (both[1].end != "given", both[1].sent_ns is None))
    return {
        "of": "task",
        "total": len(places),
        "counts": dict(Counter(place.end for _, place in places)),
        "why": _why(looks),
        "rows": [_row(look, place, task) for look, place in places[:most]],
    }


def followed(notes: Any) -> list[Look]:
    """Follow the task through the notes, in the order in which they come up."""
    looks: list[Look] = []
    for row in notes:
        what, worker, t_ns, x = int(row["reason"]), int(row["machine"]), int(row["t_ns"]), int(row["x"])
        if what in _LOOKED:
            _open(looks, what, t_ns).places.append(Place(worker, what, x))
        elif what == SENT:
            _stop(looks)
            look = looks[-1] if looks and looks[-1].chosen is None else Look(t_ns)
            if not looks or looks[-1] is not look:
                looks.append(look)
            look.chosen = next((place for place in reversed(look.places) if place.worker == worker), None)
            if look.chosen is None:
                look.chosen = Place(worker)
                look.places.append(look.chosen)
            look.chosen.sent_ns = t_ns
        else:
            _happened(looks, what, worker, t_ns, x)
    return looks


def _stop(looks: list[Look]) -> None:
    """Mark the chosen worker's stay as stopped, because the task goes out again."""
    for look in looks:
        if look.chosen is not None and look.chosen.end == "given":
            look.chosen.stays[-1].end = "stopped"


def _open(looks: list[Look], what: int, t_ns: int) -> Look:
    """Return the look that a worker belongs to: all workers of a comparison have one instant."""
    last = looks[-1] if looks else None
    if last is None or last.chosen is not None or (what == COMPARED and last.t_ns != t_ns):
        looks.append(Look(t_ns))
    return looks[-1]


def _happened(looks: list[Look], what: int, worker: int, t_ns: int, x: int) -> None:
    """Book what a worker did with the task that it received."""
    sent = (look.chosen for look in reversed(looks) if look.chosen is not None)
    place = next((place for place in sent if place.worker == worker and place.end in ("on its way", "waiting")), None)
    if place is None:
        return
    if place.stays and place.stays[-1].until_ns is None:
        place.stays[-1].until_ns = t_ns
        place.stays[-1].end = {SERVED: "given", DROPPED: "dropped", TAKEN: "shed"}.get(what, "upgraded")
        if what != ARRIVED:
            return
    stay = Stay(t_ns, None if x == NOBODY else x)
    if what != ARRIVED:
        stay = Stay(t_ns, 0, t_ns, {SERVED: "given", REFUSED: "refused"}.get(what, "dropped"))
    place.stays.append(stay)


def _ordered(look: Look) -> Iterator[Place]:
    """Yield the places of a look, the best known first."""
    yield from sorted(look.places, key=lambda place: (place.sent_ns is None, place.how == ANSWERED, place.known))


def _row(look: Look, place: Place, task: int) -> dict[str, Any]:
    won = place.end == "given"
    return {
        "worker": place.worker,
        "outcome": place.end,
        "won": won,
        "tasks": [task] if won else [],
        "expected_s": place.known / _NS if place.how == COMPARED and place.known != NEVER else None,
        "stops": [
            {"worker": place.worker, "from_s": stay.from_ns / _NS, "ahead": stay.ahead, "end": stay.end,
             "waited_s": None if stay.until_ns is None else (stay.until_ns - stay.from_ns) / _NS}
            for stay in place.stays
        ] or [{"worker": place.worker, "from_s": (place.sent_ns or look.t_ns) / _NS, "end": place.end, "waited_s": None,
               "ahead": place.known if place.how == ANSWERED else None}],
        "sentence": _sentence(place),
    }  # fmt: skip


def _sentence(place: Place) -> str:
    """Return a sentence about one worker's part."""
    full = place.known == NEVER
    known = {
        COMPARED: "its queue was believed to be full" if full else f"expected wait {_s(place.known)}",
        ANSWERED: f"answered with {place.known:,} in front",
        REMEMBERED: f"had reported room {_s(place.known)} earlier",
    }.get(place.how)
    parts = [] if known is None else [known]
    if place.sent_ns is not None:
        parts.append("the task was sent there" if place.stays else "the task is on its way there")
    parts += [_stayed(stay) for stay in place.stays]
    return f"Worker {place.worker:,}: {', '.join(parts)}."


def _stayed(stay: Stay) -> str:
    ends = {
        "refused": "and sent back", "dropped": "and dropped because it ran elsewhere",
        "upgraded": "until it got a token",
        "shed": "and was returned because too many tasks waited there", "stopped": "and ran, but was stopped",
    }  # fmt: skip
    waited = "waits" if stay.until_ns is None else f"waited {_s(stay.until_ns - stay.from_ns)}"
    where = "beside the queue" if stay.ahead is None else f"behind {stay.ahead:,} others"
    where = "behind 1 other" if stay.ahead == 1 else where
    if stay.end == "refused" or stay.until_ns == stay.from_ns:
        return ends.get(stay.end, "and started at once")
    return f"{waited} {where}" + (f" {ends[stay.end]}" if stay.end in ends else "")


def _why(looks: list[Look]) -> str:
    """Return a sentence that says why the task is where it is."""
    chosen = [look for look in looks if look.chosen is not None]
    if not chosen:
        times = "once" if len(looks) == 1 else f"{len(looks):,} times"
        if looks[-1].seen(ANSWERED):
            return "Its scheduler has probed workers and waits for the last answers."
        return f"Its scheduler has looked for room {times} and found only full queues, so it keeps the task."
    look = next((look for look in chosen if look.chosen and look.chosen.end == "given"), chosen[-1])
    parts = [_chose(look)]
    vain = sum(other.chosen is None for other in looks[: looks.index(look)])
    if vain:
        parts.append(f"{vain:,} earlier {'search' if vain == 1 else 'searches'} found only full queues.")
    ends = Counter(other.chosen.end for other in chosen if other.chosen and other is not look)
    back = ends["refused"]
    if back:
        parts.append(f"{_workers(back)} had sent it back before.")
    if ends["shed"]:
        parts.append(f"{_workers(ends['shed'])} had returned it before, because too many tasks waited there.")
    if ends["stopped"]:
        parts.append(f"It had run before and was stopped {'once' if ends['stopped'] == 1 else 'more than once'}.")
    if sum(ends.values()) > back + ends["shed"] + ends["stopped"]:
        parts.append("A copy went to another worker; only the earlier of the two starts.")
    if look.chosen and look.chosen.end == "refused":
        parts.append("That worker sent it back, so it waits at its scheduler.")
    return " ".join(parts)


def _chose(look: Look) -> str:
    """Return why a look chose its worker."""
    place = look.chosen
    assert place is not None, "only comparisons that led to a choice have a sentence"
    asked, compared = look.seen(ANSWERED), look.seen(COMPARED)
    at = f"worker {place.worker:,}"
    if place.how == REMEMBERED:
        told = f"which had reported room {_s(place.known)} earlier"
        if not asked:
            return f"No worker was probed: its scheduler remembered {at}, {told}."
        return f"Of {_workers(len(asked))} probed, none had room. Meanwhile, its scheduler had heard of {at}, {told}."
    if place.how == ANSWERED:
        return f"Of {_workers(len(asked))} probed, {at} had the fewest in front, {place.known:,}."
    if place.how != COMPARED:
        return f"It was sent to {at}."
    others = sorted(other.known for other in compared if other is not place)
    said = f"Of {_workers(len(compared))} compared, {at} "
    less = sum(known < place.known for known in others)
    if less:
        shorter = f"{less:,} had a shorter expected wait"
        return f"{said}had the lowest expected cost, after a wait of {_s(place.known)}; {shorter}."
    full = sum(known == NEVER for known in others)
    then = f"; the next best had {_s(others[0])}" if others and others[0] != NEVER else ""
    also = f"; {full:,} had full queues, according to the last reports" if full else ""
    return f"{said}had the shortest expected wait, {_s(place.known)}{then}{also}."


def _workers(count: int) -> str:
    return f"{count:,} {'worker' if count == 1 else 'workers'}"


def _s(ns: int) -> str:
    return duration(ns / _NS)
