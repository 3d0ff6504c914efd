"""Database rows of the arena: challenges and entries. Hidden seeds are stored here and nowhere else."""

from __future__ import annotations

from django.db import models

from playground.models.ids import new_public_id


class ChallengeState(models.TextChoices):
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"


class Challenge(models.Model):
    """Work, machines and an objective that people compete on. `name` is that of its file, empty for people's own."""

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=60, blank=True, db_index=True)
    spec = models.JSONField()
    #: Of `spec`: a file that has changed is another challenge.
    digest = models.CharField(max_length=64, db_index=True)
    #: Hidden seeds. No answer, link, log, message or task argument holds them.
    seeds = models.JSONField()
    final_seeds = models.JSONField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=ChallengeState.choices, default=ChallengeState.OPEN)
    closes_at = models.DateTimeField(null=True, blank=True)
    owner_session = models.CharField(max_length=40, blank=True, db_index=True)
    owner_token_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["name", "digest"], name="one_row_a_shipped_challenge", condition=~models.Q(name="")
            )
        ]

    def __str__(self) -> str:
        return str(self.spec.get("title", self.public_id))


class EntryRole(models.TextChoices):
    ENTRY = "entry"
    BASELINE = "baseline"
    REFERENCE = "reference"


class ChallengeEntry(models.Model):
    """A part of an experiment that a user entered. `board` is empty on the public board, else names a class's own."""

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="entries")
    board = models.CharField(max_length=64, blank=True)
    role = models.CharField(max_length=12, choices=EntryRole.choices, default=EntryRole.ENTRY)
    author = models.CharField(max_length=40)
    note = models.CharField(max_length=200, blank=True)
    part = models.JSONField()
    #: Of the part, with its defaults written out: the same digest is the same result.
    digest = models.CharField(max_length=64)
    #: The same part under the challenge's public seed, the site's own: what opens in the studio.
    experiment = models.ForeignKey("playground.Experiment", on_delete=models.CASCADE, related_name="challenge_entries")
    #: Its runs on the hidden seeds (None: it waits for its turn), and on those of the final ranking.
    study = models.ForeignKey("playground.Study", null=True, on_delete=models.SET_NULL, related_name="+")
    final = models.ForeignKey("playground.Study", null=True, on_delete=models.SET_NULL, related_name="+")
    may_fork = models.BooleanField(default=True)
    owner_session = models.CharField(max_length=40, blank=True, db_index=True)
    owner_token_hash = models.CharField(max_length=64, blank=True, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["challenge", "board"]), models.Index(fields=["challenge", "digest"])]
        constraints = [
            models.UniqueConstraint(
                fields=["challenge", "role"], name="one_baseline_a_challenge", condition=~models.Q(role="entry")
            )
        ]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.role})"
