"""HTTP schemas of entries and boards, for the arena's boards and for those of classes."""

from __future__ import annotations

from typing import Any, ClassVar

from playground.studies.schemas import ComparedOut, IntervalOut
from playground.web.schemas import ExperimentData, Mine, OwnerToken, Path, Shape, Unit, json_body

_PART = {
    "type": "object",
    "description": "what differs from the baseline, within what the challenge lets change",
    "properties": {
        "scheduler": {"type": "object", "description": "its `name` and the `params` that are changed"},
        "values": {"type": "object", "description": "values outside the scheduler, by their paths"},
    },
}
ENTRY_BODY = json_body(
    {
        "type": "object",
        "required": ["author"],
        "properties": {
            "author": {"type": "string", "minLength": 1, "maxLength": 40},
            "note": {"type": "string", "maxLength": 200},
            "may_fork": {"type": "boolean", "default": True},
            "part": _PART,
            "experiment_id": {"type": "string", "description": "instead of a part: a stored experiment"},
        },
    },
    required=True,
)


class IntervalTold(IntervalOut):
    """An estimate over the hidden seeds with its confidence interval."""


class ComparisonTold(Shape):
    """An entry compared with another one, seed by seed."""

    like: ClassVar[Any] = ComparedOut

    difference: IntervalTold
    ratio: IntervalTold | None
    verdict: str


class ChangeOut(Shape):
    """A value in which an entry differs from the baseline."""

    path: Path
    before: Any
    """The value of the baseline; of another scheduler's parameter, its default. Null if there is none."""
    after: Any
    """The value of the entry."""
    label: str
    """What people call the value, in the reader's language."""
    before_words: str
    """`before` as people call it, with its unit."""
    after_words: str
    """`after` as people call it, with its unit."""


class LimitOut(Shape):
    """A limit of the challenge, and where an entry stands."""

    says: str
    """What the limit measures, in words."""
    unit: Unit
    at_least: float | None
    """The least value that is allowed; null if the limit is an upper one."""
    at_most: float | None
    """The greatest value that is allowed; null if the limit is a lower one."""
    value: float | None
    """The entry's mean over the seeds that are done; null before that, or if a seed has no value."""
    holds: bool
    """Whether the mean keeps the limit; false without a mean."""


class EntryOut(Shape):
    """A row of a board."""

    id: str
    """The id of the entry."""
    role: str
    """`entry`, `baseline` (where all start) or `reference` (the challenge's own better entry)."""
    author: str
    """The name on the board."""
    note: str
    """A note beside the entry; may be empty."""
    mine: Mine
    hidden: bool
    """Whether the entry's scheduler, changes, note and experiment are hidden from you while the challenge is open."""
    may_fork: bool
    """Whether you may copy the entry's experiment."""
    experiment_id: str
    """The id of the entry's experiment; empty while hidden."""
    scheduler: str
    """The scheduler's name for people; empty while hidden."""
    changes: list[ChangeOut]
    """What the entry changes of the baseline; empty for the baseline, and while hidden."""
    created_at: str
    """When the entry was made, as ISO 8601."""
    state: str
    """`waiting`, `running`, `ranked`, or `out` (last, for the reason in `out`)."""
    runs: int
    """The number of runs: one for each hidden seed."""
    done: int
    """The number of runs that have ended, failed ones included."""
    place: int | None
    """The place, 1 for the best. Entries that cannot be told apart share one. Null until all runs have ended."""
    out: str
    """Why the entry is last: `failed`, `unfinished` (tasks were left), `no-value` or `limit`. Otherwise empty."""
    reason: str
    """Why a run failed, in words, if `out` is `failed`. Otherwise empty."""
    unfinished_runs: int
    """The number of runs in which tasks had not ended."""
    estimate: IntervalTold | None
    """The objective's mean over the seeds so far; null before a run has a value."""
    limits: list[LimitOut]
    """The challenge's limits, in its order."""
    against_leader: ComparisonTold | None
    """The objective compared with the leader's; null for the leader, and while there is nothing to compare."""
    against_baseline: ComparisonTold | None
    """The objective compared with the baseline's; null for the baseline, and while there is nothing to compare."""


class EnteredOut(EntryOut):
    """An entry that was made."""

    owner_token: str
    """The token that lets a program withdraw the entry. Empty if you had made the same entry before."""


class BoardOut(Shape):
    """A board: its entries from the best to the last, then those still running."""

    challenge: str
    """The id of the challenge."""
    state: str
    """`open` (takes entries), `closing` (the final seeds run) or `closed`."""
    final: bool
    """Whether the places are those of the final seeds, drawn when the challenge closed."""
    running: bool
    """Whether an entry has runs that have not ended."""
    rows: list[EntryOut]
    """The entries, with the baseline and the reference."""


class ChangeableOut(Shape):
    """A value that an entry may change."""

    path: str
    """Of a scheduler's parameter, its name; else where the value stands in the experiment."""
    label: str
    """What people call the value."""
    help: str
    """What the value means, in sentences; empty for a value outside the scheduler."""
    unit: Unit
    least: float | None
    """The least value that is allowed; null without such a bound."""
    most: float | None
    """The greatest value that is allowed; null without such a bound."""
    choices: list[Any]
    """The values to choose from; empty if any value within the bounds is allowed."""
    choice_labels: list[str]
    """What people call the choices, in their order."""
    start: Any
    """The value that an entry starts from."""


class OfferOut(Shape):
    """A scheduler that an entry may choose."""

    name: str
    """The name in an experiment."""
    label: str
    """The name that people read."""
    params: dict[str, Any]
    """All parameters that an entry starts from."""
    open: list[ChangeableOut]
    """The parameters that an entry may change."""


class CardOut(Shape):
    """A challenge in words."""

    id: str
    """The id of the challenge; of one that comes with the product, its name."""
    url: str
    """The page of the challenge."""
    title: str
    """The title."""
    question: str
    """What a winner has to find, in one sentence; may be empty."""
    story: str
    """The setting, in plain words; may be empty."""
    shipped: bool
    """Whether the challenge comes with the product."""
    mine: Mine
    state: str
    """`open` (takes entries), `closing` (the final seeds run) or `closed`."""
    closes_at: str | None
    """When the challenge closes or began to close, as ISO 8601; null without such a time."""
    seeds: int
    """The number of hidden seeds that each entry runs under."""
    objective: dict[str, Any]
    """The number that ranks entries: `says` (its name), `value` (an expression over the run), `unit`, and `better`
    (`less` or `more`)."""
    limits: list[dict[str, Any]]
    """Limits that the mean of an entry must keep: `says`, `value` and `unit` as in `objective`, with `at_least` or
    `at_most`."""
    entries: int
    """The number of entries on the public board, without the baseline and the reference."""


class ChallengeOut(CardOut):
    """A challenge with what an entry may change."""

    public_seed: int
    """The seed under which everybody may run entries; no hidden seed equals it."""
    experiment: ExperimentData
    baseline: str
    """The id of the baseline's entry."""
    baseline_experiment: str
    """The id of the baseline's experiment."""
    schedulers: list[OfferOut]
    """The schedulers that an entry may choose."""
    values: list[ChangeableOut]
    """The values outside the scheduler that an entry may change."""


class MadeOut(ChallengeOut):
    """A challenge that was made."""

    owner_token: OwnerToken


class OpenedOut(Shape):
    """Where an entry's run is watched."""

    url: str
    """The page of the entry's run under the public seed."""
