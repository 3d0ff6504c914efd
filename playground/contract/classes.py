"""The messages of a class's socket. News are equal for all viewers: no names, and no answer before the reveal."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from playground.contract.sockets import SocketError
from scheduler_core.contract import HttpProblem
from scheduler_core.contract.base import exact

ClassModeName = Annotated[
    Literal["follow", "ask", "explore", "compete"],
    Field(
        description="What students do now: follow the picture, answer a question, change parameters, or "
        "enter a challenge."
    ),
]

QuestionKind = Annotated[
    Literal["choice", "number", "curve", "point"],
    Field(
        description="What a student gives: one of the options, a number, a number at each place of an "
        "axis, or a machine or task."
    ),
]

QuestionStateName = Annotated[
    Literal["ready", "open", "closed", "revealed"],
    Field(
        description="`ready` (only the teacher sees it), `open` (takes answers), `closed`, or `revealed` (with its "
        "result)."
    ),
]


@exact
class ClassShown(TypedDict):
    """The run that a class looks at."""

    experiment: str
    """The id of the experiment."""
    slug: str
    """The slug of the experiment: its presentation is followed."""
    run: str
    """The id of the run."""
    at_s: float | None
    """Where the run stands at first; null for its beginning."""
    layer: str
    """The layer of the map; empty for the usual one."""
    marks: NotRequired[list[str]]
    """What the step's text speaks of, by the names that tours have; absent where it names none."""
    near: NotRequired[int]
    """The machine around which the map shows a part of the datacenter; absent where the step names none."""


@exact
class QuestionGrowth(TypedDict):
    """How the measured number grew while its runs went on: what a page plays at the reveal."""

    t_s: list[float]
    """Instants of simulated time in seconds, evenly spaced to the end of the longest run."""
    values: list[list[float | None]]
    """For each option or place, the number at each instant; null before anything is measured."""


@exact
class QuestionResult(TypedDict):
    """What a run computed, and what the class answered."""

    answer: float | list[float | None]
    """The number of the option, machine or task, the number, or one for each place; null where nothing was measured."""
    values: list[float | None]
    """For options: the measured number of each. Otherwise empty."""
    right: list[int]
    """For options: the best one and those that the runs do not show to be worse, seed by seed. Otherwise empty."""
    counts: list[int]
    """How many students gave each option, each equal part of the scale, or each of `machines`."""
    machines: list[int]
    """The machines or tasks that `counts` counts, the most frequent first; empty for other kinds."""
    band: list[list[float]]
    """Percentiles 10, 25, 50, 75 and 90 of the class: at each place of a curve, or of a number. Otherwise empty."""
    growth: QuestionGrowth | None
    """Null for a machine or a task, and for answers that an earlier version computed."""
    intervals: list[list[float] | None]
    """The 95 % interval of each option's or place's mean over the seeds, as [low, high], from 0 on where no run is
    below it. Empty for a machine or a task; null, or empty as a whole, where a single run was made."""
    run: str | None
    """The run to watch, where there is one."""
    study: str | None
    """The study that computed the answer, where there is one."""


@exact
class AskedQuestion(TypedDict):
    """The question that everybody sees."""

    number: int
    """The number of the question in the class, counted from 1."""
    kind: QuestionKind
    text: str
    """The question in words."""
    state: QuestionStateName
    answered: Annotated[int, Field(ge=0)]
    """How many students have answered."""
    options: list[str]
    """The options of a choice. Otherwise empty."""
    measure: str
    """The measured number in words; empty for a machine or a task."""
    unit: str
    """The unit of the measured number: `s`, `1` (a fraction) or nothing (a count)."""
    low: float
    """The low end of the scale of numbers and curves."""
    high: float
    """The high end of the scale of numbers and curves."""
    log: bool
    """Whether the scale is logarithmic."""
    axis: str
    """The parameter that varies in a curve, in words. Otherwise empty."""
    at: list[float]
    """The places of a curve. Otherwise empty."""
    target: Literal["machine", "task"]
    """What students point at in a question of the kind `point`."""
    at_s: float | None
    """For a machine or a task: the instant at which the run stands."""
    shown: ClassShown | None
    """The experiment that it is about."""
    result: QuestionResult | None
    """Only once the teacher has revealed it."""


@exact
class ClassKnob(TypedDict):
    """A parameter that students may change."""

    path: str
    """Where it is in the experiment."""
    label: str
    """What people call the parameter."""
    help: str
    """What the parameter means, in sentences; may be empty."""
    unit: str
    """The unit, such as `s`; `share` for a fraction; empty for a number without a unit."""
    kind: Literal["number", "integer", "choice", "switch"]
    """What a student chooses: a number, a whole number, one of `choices`, or true or false."""
    least: float | None
    """The least number that is allowed; null for a choice or a switch."""
    most: float | None
    """The greatest number that is allowed; null for a choice or a switch."""
    choices: list[int | float | str | bool]
    """The values of a choice. Otherwise empty."""
    names: list[str]
    """What people call the choices, in their order."""
    value: int | float | str | bool
    """What the teacher's experiment has."""


@exact
class ClassMeasure(TypedDict):
    """A measured number that an axis may have."""

    name: str
    """The name of the number in a summary, such as `allocation_delay_s.p99`."""
    label: str
    """The number in words."""
    unit: str
    """The unit: `s`, `1` (a fraction), or empty for a count."""


@exact
class ClassValue(TypedDict):
    """The value of a parameter."""

    path: str
    """Where the parameter is in the experiment."""
    value: int | float | str | bool
    """Its value."""


@exact
class ClassStart(TypedDict):
    """The packed start of the teacher's experiment, from which a phone simulates its own fork."""

    digest: str
    """The digest of the file, sha256."""
    url: str
    """Where the file is; it never changes."""
    module: str
    """The module of the event loop, at `/api/v1/engine/{module}`."""
    memory_bytes: Annotated[int, Field(ge=0)]
    """How much memory the arrays of the run take."""
    tasks: Annotated[int, Field(ge=1)]
    """A fork ends when this many tasks are over."""
    shares: list[float]
    """The share of each queue."""
    warmup_s: Annotated[float, Field(ge=0)]
    """Tasks and jobs that arrive earlier, in simulated seconds, are part of no wait and of no completion time."""


@exact
class ClassExplore(TypedDict):
    """What students may change, and the axes on which the teacher sees all of them."""

    knobs: list[ClassKnob]
    """The parameters that students may change."""
    measures: list[ClassMeasure]
    """The measured numbers that an axis may have."""
    x: str
    """The horizontal axis of the wall: the path of a parameter, or the name of a measured number."""
    y: str
    """The vertical axis of the wall: the path of a parameter, or the name of a measured number."""
    base: dict[str, float | None] | None
    """The numbers of the teacher's experiment, by the names of measures; null while they are computed."""
    noise: dict[str, list[float]]
    """Between which two numbers 95 of 100 runs of the teacher's experiment are expected under other seeds, by measure.

    Estimated from a few seeds by Student's t. A measure is left out while it is computed, and where it cannot be told.
    """
    reduced: int | None
    """The number of tasks after which previews end; null if they cover the whole run."""
    start: ClassStart | None
    """What phones simulate by themselves; null where the server computes all forks."""
    spot: ClassShown | None
    """The student's run that the projector shows; null for the wall."""
    spot_values: list[ClassValue]
    """The parameters of that run."""


@exact
class ClassChallenge(TypedDict):
    """The challenge of the arena that a class plays."""

    id: str
    """The id of the challenge."""
    title: str
    """The title of the challenge."""
    question: str
    """What a winner has to find, in one sentence; may be empty."""
    url: str
    """The page where students enter; its board is the class's own."""
    closed: bool
    """Whether the teacher has closed the class's board: it takes no more entries."""


@exact
class ClassNews(TypedDict):
    """How a class stands."""

    mode: ClassModeName
    people: Annotated[int, Field(ge=0)]
    """The number of students who have joined."""
    here: Annotated[int, Field(ge=0)]
    """The number of students whose browsers are in the class now."""
    locked: bool
    """Whether the class admits no new students."""
    names: list[str]
    """The names of students, while the teacher shows them. Otherwise empty."""
    text: str
    """What the step of the lesson says. Empty without one, and while a question is asked."""
    shown: ClassShown | None
    """The run that the class looks at; null before the teacher shows one."""
    question: AskedQuestion | None
    """The question that everybody sees; null unless the class is asked one."""
    explore: ClassExplore | None
    """Only while the class explores."""
    challenge: ClassChallenge | None
    """Only while the class plays one."""


@exact
class ClassComputed(TypedDict):
    """What a student's own device computed from the class's start with the student's values."""

    values: Annotated[dict[str, int | float | str | bool], Field(max_length=6)]
    """The value of each open parameter, by the parameter's path. One that is left out has the teacher's value."""
    start: str
    """The digest of the start (`explore.start.digest` in the news)."""
    digest: str
    """The digest of the outcome."""
    figures: dict[str, float | None]
    """A number or null for each measure, by the names of measures."""


@exact
class ClassRequest(TypedDict):
    """What a member of a class says. A message has one of these keys."""

    token: NotRequired[str]
    """The token of the class or of a student, as the first message: if the browser's session does not say who it is."""
    fork: NotRequired[ClassComputed]
    """A student's fork. The answer is `stored` or `refused`; answers come in the order of the forks."""


@exact
class ClassStored(TypedDict):
    """The fork of a student is stored."""

    stored: str
    """The digest of its outcome."""


@exact
class ClassRefused(TypedDict):
    """The fork of a student is not stored. The connection stays."""

    refused: HttpProblem
    """Why, as `PUT /api/v1/classes/{id}/fork/computed` says it."""


FromClass = ClassNews | ClassStored | ClassRefused | SocketError
"""What `/ws/classes/{id}` sends."""

ToClass = ClassRequest
"""What `/ws/classes/{id}` takes."""
