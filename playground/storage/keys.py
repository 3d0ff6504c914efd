"""Names of everything that is kept in Redis about runs, previews, questions and workers."""

from __future__ import annotations


def frames_key(run_id: str) -> str:
    """Stream of encoded frames; the entry of frame `seq` has the id `seq + 1`-0, so no frame enters twice."""
    return f"run:{run_id}:frames"


def progress_key(run_id: str) -> str:
    return f"run:{run_id}:progress"


def lease_key(run_id: str) -> str:
    return f"run:{run_id}:lease"


def cancel_key(run_id: str) -> str:
    return f"run:{run_id}:cancel"


def pause_key(run_id: str) -> str:
    return f"run:{run_id}:pause"


def wanted_key(run_id: str) -> str:
    """Is there while a user watches a run or asks after it."""
    return f"run:{run_id}:wanted"


def run_inbox_key(run_id: str) -> str:
    """Hash of the names of questions that wait for the worker that computes a run."""
    return f"run:{run_id}:inbox"


def notices_group(run_id: str) -> str:
    """Channel-layer group of everyone who watches a run (only letters, digits, hyphens, underscores and dots)."""
    return f"run.{run_id}"


def preview_number_key(viewer: str) -> str:
    """Counts a viewer's previews."""
    return f"preview:{viewer}:number"


def preview_asked_key(viewer: str) -> str:
    """Hash of a viewer's newest question: its `number` and the `experiment` as JSON."""
    return f"preview:{viewer}:asked"


def preview_waits_key(viewer: str) -> str:
    """Is there while a message tells the workers that this viewer waits: one is enough, whatever is asked after."""
    return f"preview:{viewer}:waits"


def preview_answer_key(viewer: str) -> str:
    """Hash of what a viewer was told last: `number` of its question, how often it was `begun`, `message`, `over`."""
    return f"preview:{viewer}:answer"


def preview_kept_key(name: str) -> str:
    """MessagePack of the answer to everybody who asks for a preview of the same experiment."""
    return f"preview-of:{name}:kept"


def preview_holder_key(name: str) -> str:
    """Token of the worker that computes the preview of an experiment."""
    return f"preview-of:{name}:holder"


def preview_askers_key(name: str) -> str:
    """Hash of the viewers who wait for the preview of an experiment, and the number of each one's question."""
    return f"preview-of:{name}:askers"


def previews_group(viewer: str) -> str:
    """Channel-layer group of the sockets on which a viewer waits for answers."""
    return f"preview.{viewer}"


def question_key(name: str) -> str:
    """JSON about a question to a worker: what was asked, how far it is, what came of it."""
    return f"question:{name}"


def question_rows_key(name: str) -> str:
    """List of rows, as JSON: the part of an answer that comes piece by piece."""
    return f"question:{name}:rows"


def question_wanted_key(name: str) -> str:
    """Is there while a user waits: who asks again renews it, and without it a worker gives up."""
    return f"question:{name}:wanted"


def question_stop_key(name: str) -> str:
    """Is there when a question is to be stopped, whoever waits."""
    return f"question:{name}:stop"


def question_news(name: str) -> str:
    """Redis channel on which a message says that a question has news."""
    return f"question:{name}:news"


def race_of_key(run_id: str) -> str:
    """Id of the newest race of a run's solvers."""
    return f"run:{run_id}:race"


def study_stop_key(study_id: str) -> str:
    """Is there while workers are to let a study be: it says `pause` or `cancel`."""
    return f"study:{study_id}:stop"


def study_compiling_key(study_id: str) -> str:
    """Is there while a kernel that a study needs is compiled."""
    return f"study:{study_id}:compiling"


def study_group(study_id: str) -> str:
    """Channel-layer group of everyone who watches a study."""
    return f"study.{study_id}"


def presentation_key(room: str) -> str:
    """MessagePack of what is shown in a presentation, by the slug of the experiment that it began with."""
    return f"presentation:{room}"


def presenter_key(room: str) -> str:
    """Names the window that presents, while it is there."""
    return f"presentation:{room}:by"


def presentation_watching_key(room: str) -> str:
    """Hash: how many sockets of each process follow, and when that was counted."""
    return f"presentation:{room}:watching"


def presentation_group(room: str) -> str:
    """Channel-layer group of everyone who follows a presentation."""
    return f"presentation.{room}"


#: Sorted set of the keys of answers to previews that are kept, by the time when each was computed.
PREVIEWS_KEPT_KEY = "previews:kept"


def class_group(class_id: str) -> str:
    """Channel-layer group of the servers on which a user is in a class."""
    return f"class.{class_id}"


def turns_key(queue: str) -> str:
    """Sorted set of owners by the time when a worker last finished something of theirs."""
    return f"turns:{queue}"


#: Lease of the one process that answers a question that may take long (questions/answering.py).
ONE_AT_A_TIME = "question"

#: Hash of what all workers have simulated: `tasks`, `seconds`, and `tasks_per_s` of the last run that ended.
SIMULATED_KEY = "simulated"

WORKER_PREFIX = "worker:alive:"


def worker_key(name: str) -> str:
    return WORKER_PREFIX + name
