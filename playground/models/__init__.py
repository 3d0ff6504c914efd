"""Database rows: experiments and runs. Progress is in Redis (here while a run is paused), frames are in files."""

from __future__ import annotations

import secrets

from django.db import models

from playground.models.arena import Challenge, ChallengeEntry, ChallengeState, EntryRole
from playground.models.classes import (
    ClassAnswer,
    ClassFork,
    ClassMode,
    ClassQuestion,
    Classroom,
    QuestionState,
    Student,
)
from playground.models.ids import new_public_id
from playground.models.packed import PackedJSONField

__all__ = [
    "ACTIVE_STATES",
    "FINAL_STATES",
    "HELD_STATES",
    "UNFINISHED_STATES",
    "Challenge",
    "ChallengeEntry",
    "ChallengeState",
    "ClassAnswer",
    "ClassFork",
    "ClassMode",
    "ClassQuestion",
    "Classroom",
    "EntryRole",
    "Experiment",
    "GalleryRun",
    "GoneLink",
    "QuestionState",
    "Run",
    "RunState",
    "Student",
    "Study",
    "StudyRun",
    "Trace",
    "Upload",
    "UploadPiece",
    "lease_name",
    "new_public_id",
    "new_slug",
    "new_trace_id",
    "new_upload_id",
]

_SLUG_LETTERS = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
_SLUG_LENGTH = 10  # 57 bits: short enough to type, too many to guess


def new_slug() -> str:
    return "".join(secrets.choice(_SLUG_LETTERS) for _ in range(_SLUG_LENGTH))


class Experiment(models.Model):
    """One experiment as data, with expanded defaults; never changed once stored."""

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    slug = models.CharField(max_length=16, unique=True, default=new_slug, editable=False)
    name = models.CharField(max_length=300, blank=True)
    question = models.TextField(blank=True)
    data = PackedJSONField()
    digest = models.CharField(max_length=64, db_index=True)
    schema_version = models.PositiveIntegerField()
    core_version = models.CharField(max_length=32)
    forked_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="forks")
    owner_session = models.CharField(max_length=40, blank=True, db_index=True)
    owner_token_hash = models.CharField(max_length=64)
    #: The address or class whose quota it counts against (ground/quotas.py), and the bytes that it counts.
    counts_under = models.CharField(max_length=40, blank=True)
    stored_bytes = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    #: When a user first had its link in hand; retention deletes recordings of unshared experiments first.
    shared_at = models.DateTimeField(null=True, blank=True)
    #: When a user last opened it, to the day; what nobody opens, runs, forks or shares goes after a while.
    opened_at = models.DateTimeField(null=True, blank=True)
    #: Deleted by its owner, who may still think better of it; removed for good after a while.
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["counts_under", "stored_bytes"], name="stored_by_quota")]

    def __str__(self) -> str:
        return self.name or self.slug


class GoneLink(models.Model):
    """What a link led to whose experiment the server removed because nobody used it."""

    slug = models.CharField(max_length=16, unique=True)
    name = models.CharField(max_length=300, blank=True)
    scheduler = models.CharField(max_length=100, blank=True)
    removed_at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return self.name or self.slug


class RunState(models.TextChoices):
    """The states of a run; studies use them, too, except `compiling`."""

    QUEUED = "queued"
    COMPILING = "compiling"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


#: A worker holds a run in these states; its lease in Redis says whether that worker is alive.
HELD_STATES = (RunState.COMPILING, RunState.RUNNING)
ACTIVE_STATES = (RunState.QUEUED, *HELD_STATES)
#: States that a user can still cancel: all but the final ones.
UNFINISHED_STATES = (*ACTIVE_STATES, RunState.PAUSED)
FINAL_STATES = (RunState.DONE, RunState.FAILED, RunState.CANCELLED)


class Run(models.Model):
    """One execution of an experiment under one seed."""

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="runs")
    seed = models.BigIntegerField()
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.QUEUED, db_index=True)
    claim = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    summary = models.JSONField(null=True, blank=True)
    outcome_digest = models.CharField(max_length=64, blank=True)
    frames = models.PositiveIntegerField(default=0)
    pause_asked = models.BooleanField(default=False)
    #: What a paused run goes on from (empty: from its start), and how far it was.
    snapshot = models.FileField(upload_to="snapshots/", blank=True, max_length=200)
    paused_fraction = models.FloatField(default=0.0)
    #: Seconds that workers spent on it, noted each second and at a pause; they count towards the limit.
    spent_s = models.FloatField(default=0.0)
    recording = models.FileField(upload_to="runs/", blank=True, max_length=200)
    tasks_table = models.FileField(upload_to="runs/", blank=True, max_length=200)
    #: Bytes of both files (0: unknown so far), and when retention deleted them to make room.
    stored_bytes = models.BigIntegerField(default=0)
    recording_removed_at = models.DateTimeField(null=True, blank=True)
    #: Digest of the experiment under this seed, and of the code that computed the result (empty: not computed yet).
    question_digest = models.CharField(max_length=64, blank=True, db_index=True)
    code_digest = models.CharField(max_length=64, blank=True)
    #: The result is from an earlier run; `brief`: its files are those of a shipped recording, which leave details out.
    known = models.BooleanField(default=False)
    brief = models.BooleanField(default=False)
    #: Computed in spite of a known result; `agrees` says whether both are the same (None: nothing to compare).
    fresh = models.BooleanField(default=False)
    agrees = models.BooleanField(null=True)
    #: The site's own run, which gives way to everybody's: it replaces a brief recording by a complete one.
    background = models.BooleanField(default=False)
    #: A program asked for it and comes back for the result: the run goes on although nobody watches it.
    by_program = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.state})"


class GalleryRun(models.Model):
    """The run that shows a question of the gallery. It belongs to the site, and its files are kept."""

    name = models.CharField(max_length=60, unique=True)
    #: Of what it is: another experiment, or another simulator, has another key.
    key = models.CharField(max_length=64)
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="shown_in_gallery")

    def __str__(self) -> str:
        return f"{self.name}: {self.run}"


def new_trace_id() -> str:
    """Return an identifier of 128 random bits that is a trace id (begins with a letter)."""
    return "t" + secrets.token_hex(16)


class Trace(models.Model):
    """A trace file that a user uploaded and that was read through."""

    public_id = models.CharField(max_length=40, unique=True, default=new_trace_id, editable=False)
    name = models.CharField(max_length=120)
    format = models.CharField(max_length=40)
    file = models.FileField(upload_to="traces/", max_length=200)
    bytes = models.BigIntegerField()
    jobs = models.PositiveIntegerField()
    tasks = models.PositiveIntegerField()
    span_s = models.FloatField()
    #: Seconds of all tasks together.
    work_s = models.FloatField(default=0.0)
    #: What reading it told: `left_out` rows, `notes`, `constraints` that its tasks ask for, `statistics`.
    details = models.JSONField(default=dict)
    owner_session = models.CharField(max_length=40, blank=True, db_index=True)
    owner_token_hash = models.CharField(max_length=64, db_index=True)
    counts_under = models.CharField(max_length=40, blank=True, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"


def new_upload_id() -> str:
    return "u" + secrets.token_hex(16)


class Upload(models.Model):
    """A file that is being sent, or was sent and is not yet a trace. Its bytes lie in its pieces."""

    public_id = models.CharField(max_length=40, unique=True, default=new_upload_id, editable=False)
    name = models.CharField(max_length=120)
    bytes = models.BigIntegerField()
    owner_session = models.CharField(max_length=40, blank=True, db_index=True)
    owner_token_hash = models.CharField(max_length=64, db_index=True)
    counts_under = models.CharField(max_length=40, blank=True, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)
    #: When bytes came last; the server deletes uploads that nobody continues.
    touched_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"


class UploadPiece(models.Model):
    """The bytes of an upload that came with one request, in a file of their own; one row for each offset."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="pieces")
    offset = models.BigIntegerField()
    bytes = models.BigIntegerField()
    file = models.CharField(max_length=200)

    class Meta:
        ordering = ["offset"]
        constraints = [models.UniqueConstraint(fields=["upload", "offset"], name="one_piece_an_offset")]

    def __str__(self) -> str:
        return f"{self.upload.public_id} from {self.offset}"


class Study(models.Model):
    """One experiment over a grid of values x schedulers x seeds. Its state is one of RunState's, never compiling."""

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="studies")
    plan = models.JSONField()
    #: The version that made it: what the plan leaves out of schedulers' parameters has its rules.
    core_version = models.CharField(max_length=32)
    runs = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.RUNNING, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)
    #: When its runs were last put on the queue.
    sent_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    #: Of an entry in the arena: its `seeds` and the `figures` it measures. Nobody may read it.
    hidden = models.JSONField(null=True, blank=True)
    #: The measured number whose growth its runs keep; empty for none.
    watched = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.state})"


class StudyRun(models.Model):
    """One run of a study, by its number in the grid: summary only, no frames."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="rows")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.QUEUED)
    claim = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    summary = models.JSONField(null=True, blank=True)
    #: How the watched number grew: simulated seconds and values.
    grown = models.JSONField(null=True, blank=True)
    #: State at its interruption: the next worker continues from this file.
    snapshot = models.FileField(upload_to="snapshots/", blank=True, max_length=200)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_row_a_run_of_a_study")]
        indexes = [models.Index(fields=["study", "state"]), models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.lease_name} ({self.state})"

    @property
    def lease_name(self) -> str:
        return lease_name(self.study.public_id, self.number)


def lease_name(study_id: str, number: int) -> str:
    """Name the lease of a study's run among those of runs."""
    return f"{study_id}.{number}"
