"""Names of everything that is kept in Redis about runs, previews and workers."""

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


def run_asked_key(run_id: str) -> str:
    """Hash of questions, as JSON by name, for the worker that computes a run."""
    return f"run:{run_id}:asked"


def run_told_key(run_id: str, name: str) -> str:
    """JSON of what that worker has just told to a question."""
    return f"run:{run_id}:told:{name}"


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


def previews_group(viewer: str) -> str:
    """Channel-layer group of the sockets on which a viewer waits for answers."""
    return f"preview.{viewer}"


def import_key(import_id: str) -> str:
    """JSON about an import of a trace: whose it is, what was asked, how far it is, what came of it."""
    return f"import:{import_id}"


def import_cancel_key(import_id: str) -> str:
    return f"import:{import_id}:cancel"


def look_key(look: str) -> str:
    """JSON about a question on the network of a run, or a race of its solvers: how far it is, what came of it."""
    return f"look:{look}"


def look_rows_key(look: str) -> str:
    """List of the rows of a race, as JSON, in order of rounds."""
    return f"look:{look}:rows"


def look_wanted_key(look: str) -> str:
    """Is there while somebody waits: who asks again renews it, and without it a worker gives up."""
    return f"look:{look}:wanted"


def look_stop_key(look: str) -> str:
    return f"look:{look}:stop"


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


#: Held by the one process that does something long for somebody who waits (questions/errands.py).
ERRAND = "errand"

#: Hash of what all workers have simulated: `tasks`, `seconds`, and `tasks_per_s` of the last run that ended.
SIMULATED_KEY = "simulated"

WORKER_PREFIX = "worker:alive:"


def worker_key(name: str) -> str:
    return WORKER_PREFIX + name
