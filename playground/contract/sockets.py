"""Messages of the sockets, in both directions. Each is one MessagePack map in a binary WebSocket message."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from playground.contract.shown import Shown
from playground.contract.states import StateNow
from scheduler_core.contract import Frame, HistogramChange, HttpProblem, Summary
from scheduler_core.contract.base import exact


@exact
class SocketError(TypedDict):
    """What went wrong. Most errors are followed by the end of the connection."""

    error: str
    """A stable name of the kind of error, for programs."""
    message: str
    """What is wrong, in words."""


# Runs


@exact
class CompiledFunctions(TypedDict):
    """How far the compilation of a scheduler is."""

    done: int
    """The number of functions that are compiled."""
    known: int
    """The number of functions that the run is known to need."""


@exact
class RunProgress(TypedDict):
    """How far a run is."""

    state: StateNow
    progress: Annotated[float, Field(ge=0, le=1)]
    """The fraction of the run that is computed."""
    eta_s: float | None
    """The seconds that are left, of the compilation while the scheduler is compiled; null while nobody can tell."""
    compiled: CompiledFunctions | None
    """How far the compilation is; null while nothing is compiled."""


@exact
class RunNotice(TypedDict):
    """News of a run's state, for viewers that asked for notices."""

    notice: RunProgress
    """How far the run is now."""


@exact
class RunRequest(TypedDict):
    """What a viewer of a run asks for. A message has one of these keys at least."""

    subscribe: NotRequired[Annotated[list[str], Field(max_length=64)]]
    """The layers to send from now on. A layer that is new begins with the next key frame."""
    ack: NotRequired[Annotated[int, Field(ge=-1)]]
    """The number of the last frame that the viewer has. The server waits with more than 64 frames or 4 MB."""
    notices: NotRequired[bool]
    """Whether to send notices, too."""


FromRun = Frame | RunNotice | SocketError
"""What `/ws/runs/{id}` sends."""


# Previews


@exact
class PreviewReduction(TypedDict):
    """How much of the run a preview simulated."""

    tasks: int
    """The number of tasks that had ended."""
    of_tasks: int
    """The number of tasks of the whole run."""
    simulated_s: float
    """The simulated time in seconds."""
    says: str
    """The same in a sentence."""


@exact
class WaitRange(TypedDict):
    """A range that should hold what the whole run measures.

    It did in nine of ten trials (docs/development/performance.md).
    """

    low_s: float
    """The lower end in seconds."""
    high_s: float
    """The upper end in seconds."""


@exact
class PreviewGrowth(TypedDict):
    """The queue has no limit at this load: it grows as long as jobs arrive."""

    of: Literal["wait", "backlog"]
    """`wait`: the wait of new tasks. `backlog`: the work that waits, in seconds of all machines."""
    cause: Literal["machines", "scheduler"]
    """What has less capacity than the load needs."""
    in_a_minute: WaitRange | None
    """By how much it grows in each minute; null where the preview cannot tell."""


@exact
class PreviewForetold(TypedDict):
    """What the whole run's waits will be like, estimated from the part that was simulated."""

    allocation_delay: dict[str, WaitRange | None]
    """By percentile (p50, p90, p99, p99.9); null for one that the preview cannot tell."""
    growth: PreviewGrowth | None
    """Null where the queue does not grow without limit."""
    reason: str | None
    """Why a percentile cannot be told: few, filling, uneven, wide, stages, constraints, events or stop."""
    says: str
    """The same in a sentence."""


@exact
class PreviewQueueUse(TypedDict):
    """What a queue deserves and what its tasks used, as fractions of what all queues have."""

    queue: str
    """The name of the queue."""
    deserved: float
    """The queue's share, as a fraction of all shares."""
    used: float
    """What its tasks used, as a fraction of what all tasks used: the largest fraction of any resource that a task
    holds, times its run time. 0 if no task ran."""
    tasks_started: int
    """The number of its tasks that have started."""


@exact
class PreviewCompiling(TypedDict):
    """The preview has to compile the scheduler first."""

    preview: int
    """The number of the viewer's question."""
    state: Literal["compiling"]
    """Names this kind of message; another one with the answer follows."""
    at_least_s: NotRequired[float | None]
    """How much the waiting work grows in each minute at least, in seconds of all machines, under any scheduler: the
    queue has no limit. Null below load 1."""


@exact
class PreviewFailed(TypedDict):
    """There is no preview of this experiment."""

    preview: int
    """The number of the viewer's question."""
    state: Literal["failed"]
    """Names this kind of message."""
    error: HttpProblem
    """What is wrong."""


@exact
class PreviewDone(TypedDict):
    """The answer to a viewer's question."""

    preview: int
    """The number of the viewer's question."""
    state: Literal["done"]
    """Names this kind of message."""
    t_ns: int
    """The simulated time up to which the preview ran, in nanoseconds."""
    reduced: PreviewReduction | None
    """What was left out; null for a preview of the whole run."""
    foretold: PreviewForetold | None
    """Ranges for the whole run; null for a preview of the whole run."""
    summary: Summary
    """The summary of what was simulated."""
    hist: dict[str, HistogramChange]
    """Histograms as in a key frame."""
    shares: list[PreviewQueueUse]
    """What each queue deserves and used, in the experiment's order."""
    notes: list[str]
    """What was noticed while the workload was read."""
    took_s: float
    """The seconds that the preview took."""


FromPreviews = PreviewCompiling | PreviewFailed | PreviewDone | SocketError
"""What `/ws/previews/{place}` sends. A viewer sends nothing there."""


# Studies


@exact
class StudyFailure(TypedDict):
    """The first run of a study that failed."""

    code: str
    """A stable name of the kind of error, for programs."""
    message: str
    """What is wrong, in words."""
    run: int
    """The number of the run in the study."""


@exact
class StudyProgress(TypedDict):
    """How far a study is."""

    state: StateNow
    runs: int
    """The number of runs of the study."""
    done: int
    """The number of runs that are done."""
    failed: int
    """The number of runs that failed."""
    running: int
    """The number of runs that workers compute now."""
    compiling: bool
    """Whether a scheduler of the study is being compiled."""
    progress: Annotated[float, Field(ge=0, le=1)]
    """The fraction of the runs that have ended."""
    eta_s: float | None
    """The seconds that are left; null while nobody can tell."""
    error: StudyFailure | None
    """The first run that failed; null if none did."""


FromStudy = StudyProgress | SocketError
"""What `/ws/studies/{id}` sends. A viewer sends nothing there."""


# Presentations


@exact
class PresentationNews(TypedDict):
    """What is shown in a presentation."""

    presenting: bool
    """Whether the presenter is there."""
    watching: int
    """The number of viewers."""
    state: Shown | None
    """What is shown; null before anything was."""


@exact
class PresentationAck(TypedDict):
    """Says that the viewer has read what it was sent. The server waits after 64 messages."""

    ack: Literal[True]
    """Names this kind of message."""


@exact
class PresentationBegin(TypedDict):
    """Takes the presentation over. Only the owner of the experiment may do so."""

    present: Literal[True]
    """Names this kind of message."""
    token: NotRequired[str]
    """The owner token, if the browser's session is not the owner."""


@exact
class PresentationState(TypedDict):
    """Shows something, or with null says that nothing changed and the presenter is still there."""

    state: Shown | None
    """What is shown from now on; null for no change."""


@exact
class PresentationEnd(TypedDict):
    """Ends the presentation."""

    stop: Literal[True]
    """Names this kind of message."""


FromPresentation = PresentationNews | SocketError
"""What `/ws/presentations/{slug}` sends."""

ToPresentation = PresentationAck | PresentationBegin | PresentationState | PresentationEnd
"""What `/ws/presentations/{slug}` takes. A viewer says `ack`; the presenter says all four."""
