"""Names of all keys in Redis about runs, previews, questions and workers."""

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
    """Return the key that exists while a user watches a run or asks for it."""
    return f"run:{run_id}:wanted"


def run_inbox_key(run_id: str) -> str:
    """Return the key of the hash of the questions that wait for the worker that computes a run."""
    return f"run:{run_id}:inbox"


def notices_group(run_id: str) -> str:
    """Return the channel-layer group of a run's viewers (only letters, digits, hyphens, underscores, dots)."""
    return f"run.{run_id}"


def preview_number_key(viewer: str) -> str:
    """Return the key of the counter of a viewer's previews."""
    return f"preview:{viewer}:number"


def preview_asked_key(viewer: str) -> str:
    """Return the key of the hash of a viewer's newest question: its `number` and the `experiment` as JSON."""
    return f"preview:{viewer}:asked"


def preview_waits_key(viewer: str) -> str:
    """Return the key that exists while a message tells workers that this viewer waits; one is enough."""
    return f"preview:{viewer}:waits"


def preview_answer_key(viewer: str) -> str:
    """Return the key of the hash of the last answer to a viewer: `number`, `begun` (times), `message`, `over`."""
    return f"preview:{viewer}:answer"


def preview_kept_key(name: str) -> str:
    """Return the key of the MessagePack answer to everybody who asks for a preview of the same experiment."""
    return f"preview-of:{name}:kept"


def preview_holder_key(name: str) -> str:
    """Return the key of the token of the worker that computes an experiment's preview."""
    return f"preview-of:{name}:holder"


def preview_queued_key(name: str) -> str:
    """Return the key of the group in whose turn a message about an experiment waits for a worker."""
    return f"preview-of:{name}:queued"


def preview_askers_key(name: str) -> str:
    """Return the key of the hash of viewers who wait for a preview, with the number of each one's question."""
    return f"preview-of:{name}:askers"


def question_key(name: str) -> str:
    """Return the key of the JSON about a question to a worker: the question, its progress, its result."""
    return f"question:{name}"


def question_rows_key(name: str) -> str:
    """List of rows, as JSON: the part of an answer that comes piece by piece."""
    return f"question:{name}:rows"


def question_wanted_key(name: str) -> str:
    """Return the key that exists while a user waits for a question; without it a worker gives up."""
    return f"question:{name}:wanted"


def question_stop_key(name: str) -> str:
    """Return the key that exists when a question has to stop, whoever waits."""
    return f"question:{name}:stop"


def question_subject_key(subject: str) -> str:
    """Return the key of the set of the questions that were asked about an experiment or a trace."""
    return f"question-about:{subject}"


def question_news(name: str) -> str:
    """Return the Redis channel on which a message announces news of a question."""
    return f"question:{name}:news"


def spread_runs_key(token: str) -> str:
    """Return the key of the hash of runs that any worker may compute for one attempt at a question, by number."""
    return f"question-spread:{token}:runs"


def spread_results_key(token: str) -> str:
    """Return the key of the hash of results that the asking worker has not fetched yet, by the number of the run."""
    return f"question-spread:{token}:results"


def spread_tries_key(token: str) -> str:
    """Return the key of the hash that counts how many workers took each run and did not return it."""
    return f"question-spread:{token}:tries"


def race_of_key(run_id: str) -> str:
    """Return the key of the id of the newest race of a run's solvers."""
    return f"run:{run_id}:race"


def study_stop_key(study_id: str) -> str:
    """Return the key that tells workers to leave a study: `pause` or `cancel`."""
    return f"study:{study_id}:stop"


def study_compiling_key(study_id: str) -> str:
    """Return the key that exists while a kernel that a study needs is compiled."""
    return f"study:{study_id}:compiling"


def study_group(study_id: str) -> str:
    """Return the channel-layer group of everyone who watches a study."""
    return f"study.{study_id}"


def presentation_key(room: str) -> str:
    """Return the key of the MessagePack of what a presentation shows, by its first experiment's slug."""
    return f"presentation:{room}"


def presenter_key(room: str) -> str:
    """Return the key that names the presenting window while it exists."""
    return f"presentation:{room}:by"


def presentation_watching_key(room: str) -> str:
    """Hash: how many sockets of each process follow, and when that was counted."""
    return f"presentation:{room}:watching"


def presentation_group(room: str) -> str:
    """Return the channel-layer group of everyone who follows a presentation."""
    return f"presentation.{room}"


#: Channel of Redis with the names of places whose viewers have news.
PREVIEWS_TOLD = "previews:told"
#: Sorted set of the keys of stored answers to previews, by the time of their computation.
PREVIEWS_KEPT_KEY = "previews:kept"


#: Prefix of the lists of places of one address or class that wait for a preview.
PREVIEWS_DUE = "previews:due:"
#: Sorted set of these groups, by when each was served last.
PREVIEWS_TURNS = "previews:turns"
#: Hash of previews in workers' hands, by the ids of messages: when the hold ends, whose it is, and what it is.
PREVIEWS_HELD = "previews:held"
#: How many messages found only groups that have as many workers as they may.
PREVIEWS_OWED = "previews:owed"


def class_told_key(class_id: str) -> str:
    """Return the key that exists for a moment after servers were told what students of a class did."""
    return f"class:{class_id}:told"


def presence_key(class_id: str) -> str:
    """Return the key of the sorted set of students whose browsers are in a class, by the time they were last seen."""
    return f"class:{class_id}:here"


def class_group(class_id: str) -> str:
    """Return the channel-layer group of the servers on which users are in a class."""
    return f"class.{class_id}"


def turns_key(queue: str) -> str:
    """Return the key of the sorted set of owners by when a worker last finished something of theirs."""
    return f"turns:{queue}"


def under_way_key(what: str, group: str) -> str:
    """Return the key of the sorted set of imports or searches of an address or a class, by when each was noted."""
    return f"{what}-noted:{group}"


#: Lease of the one process that answers a question that may take long (questions/answering.py).
ONE_AT_A_TIME = "question"

#: Hash of the questions whose runs any worker may compute, as JSON by name (questions/spread.py).
SPREAD_KEY = "questions:spread"

#: Hash of what all workers have simulated: `tasks`, `seconds`, and `tasks_per_s` of the last run that ended.
SIMULATED_KEY = "simulated"

WORKER_PREFIX = "worker:alive:"


def worker_key(name: str) -> str:
    return WORKER_PREFIX + name
