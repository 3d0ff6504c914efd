"""Database rows of classes: students, questions, and the answers of each student."""

from __future__ import annotations

from django.db import models

from playground.models.ids import new_public_id


class ClassMode(models.TextChoices):
    FOLLOW = "follow"
    ASK = "ask"
    EXPLORE = "explore"
    COMPETE = "compete"


class Classroom(models.Model):
    """A class that a teacher opened: its code, what it shows, and in which mode."""

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    #: What students type; None once it has run out, so that another class may have it.
    code = models.CharField(max_length=5, unique=True, null=True, blank=True)
    owner_session = models.CharField(max_length=40, blank=True, db_index=True)
    owner_token_hash = models.CharField(max_length=64)
    counts_under = models.CharField(max_length=40, blank=True, db_index=True)
    mode = models.CharField(max_length=8, choices=ClassMode.choices, default=ClassMode.FOLLOW)
    #: Keys of the addresses from which people joined (ground/quotas.py).
    addresses = models.JSONField(default=list, blank=True)
    #: Nobody new may join.
    locked = models.BooleanField(default=False)
    #: The projector shows no names.
    anonymous = models.BooleanField(default=True)
    experiment = models.ForeignKey(
        "playground.Experiment", null=True, blank=True, on_delete=models.SET_NULL, related_name="classes"
    )
    run = models.ForeignKey("playground.Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    #: The question that everybody sees.
    question = models.ForeignKey(
        "playground.ClassQuestion", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    #: What students may change, the axes of the wall, and whose fork the projector shows (classes/exploring.py).
    explore = models.JSONField(null=True, blank=True)
    #: The challenge of the arena that the class plays, by its id, on a board of its own.
    challenge = models.CharField(max_length=64, blank=True)
    #: What the teacher teaches: steps with notes, the place among them, and the file that it came from.
    lesson = models.JSONField(null=True, blank=True)
    #: The challenges that the class has played, by their ids, each with the time at which its board was closed here.
    played = models.JSONField(default=list, blank=True)
    #: The end of a homework, which students do by themselves; None for a class with a teacher in the room.
    due_at = models.DateTimeField(null=True, blank=True)
    #: Of a homework: each result is shown after the own answer, which is final then.
    at_once = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    #: Time of its last use, of a homework its end: the server keeps its code and its rows for a while after that.
    used_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.code or 'over'} ({self.public_id})"


class Student(models.Model):
    """One person in a class: a browser, or whoever has the token."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="students")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=24)
    owner_session = models.CharField(max_length=40, blank=True, db_index=True)
    owner_token_hash = models.CharField(max_length=64, db_index=True)
    joined_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["classroom", "number"], name="one_student_a_number"),
            models.UniqueConstraint(
                fields=["classroom", "owner_session"],
                condition=~models.Q(owner_session=""),
                name="one_student_a_browser",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} ({self.name})"


class QuestionState(models.TextChoices):
    READY = "ready"
    OPEN = "open"
    CLOSED = "closed"
    REVEALED = "revealed"


class ClassQuestion(models.Model):
    """A question of a class as data. Its answer is computed by a study, or read from a run."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="questions")
    number = models.PositiveIntegerField()
    asked = models.JSONField()
    state = models.CharField(max_length=8, choices=QuestionState.choices, default=QuestionState.READY)
    experiment = models.ForeignKey("playground.Experiment", null=True, on_delete=models.SET_NULL, related_name="+")
    study = models.ForeignKey("playground.Study", null=True, on_delete=models.SET_NULL, related_name="+")
    run = models.ForeignKey("playground.Run", null=True, on_delete=models.SET_NULL, related_name="+")
    #: As computed; kept, so that it outlives the study.
    answer = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["classroom", "number"], name="one_question_a_number")]

    def __str__(self) -> str:
        return f"{self.number} ({self.state})"


class ClassAnswer(models.Model):
    """What one student answered to one question."""

    question = models.ForeignKey(ClassQuestion, on_delete=models.CASCADE, related_name="answers")
    student = models.ForeignKey(Student, on_delete=models.CASCADE, related_name="answers")
    value = models.JSONField()
    #: From 0 to 1, after the teacher has revealed the question.
    score = models.FloatField(null=True, blank=True)
    answered_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["student__number"]
        constraints = [models.UniqueConstraint(fields=["question", "student"], name="one_answer_a_student")]

    def __str__(self) -> str:
        return f"{self.student}: {self.value}"


class ClassFork(models.Model):
    """What one student made of the teacher's experiment; without a student, the teacher's own values."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="forks")
    student = models.ForeignKey(Student, null=True, on_delete=models.CASCADE, related_name="forks")
    #: The value of each open parameter by its path.
    values = models.JSONField()
    #: The number of the preview that computes them, and when the class asked for it.
    preview = models.PositiveBigIntegerField(default=0)
    asked_at = models.DateTimeField()
    #: What the preview measured, by metric; None while it is under way or after it failed.
    figures = models.JSONField(null=True, blank=True)
    #: Whether the preview covers only the beginning of the run.
    reduced = models.BooleanField(default=False)
    #: Why there are no figures.
    failure = models.CharField(max_length=300, blank=True)
    #: The digest of the outcome, as whoever computed it told it; empty while it is under way.
    digest = models.CharField(max_length=64, blank=True)
    #: Whether the student's phone computed the figures, not this server.
    by_phone = models.BooleanField(default=False)

    class Meta:
        ordering = ["student__number"]
        constraints = [models.UniqueConstraint(fields=["classroom", "student"], name="one_fork_a_student")]

    def __str__(self) -> str:
        return f"{self.student}: {self.values}"
