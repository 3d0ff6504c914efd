"""The gallery: experiments as questions, each with a tour over its picture and suggested changes.

One file each under fixtures/gallery, in the order of their `order`; adding one is adding a file.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Annotated, Any, Literal

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, model_validator

from playground.errors import not_found
from playground.web.words import gettext
from scheduler_core import Experiment

Anchor = Literal[
    "map",
    "legend",
    "layers",
    "waits",
    "counters",
    "timeline",
    "play",
    "datacenter",
    "work",
    "constraints",
    "queues",
    "scheduler",
    "compare",
    "share",
    "export",
]

#: Marks on the map (static/js/draw/stage/drawn_marks.js), entries of the legend, counters, and parts of the page.
MARK = r"^(mark|layer|legend|counter|part):[a-z_]+$|^shelf$"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Text(_Part):
    """A text of the gallery; `checked` are the claims that back what it says about effects, none where it says nothing.

    It has no default: who writes a text decides. The claims are in scheduler_core/claims/data/statements/gallery.toml.
    """

    checked: tuple[str, ...]


class Step(_Text):
    """One card of a tour, beside the part of the page that it tells of; `t_s`: at that instant, playback stands.

    `text` is true at every level and size. `there` speaks of the part itself, and is shown only where the part is.
    """

    at: Anchor
    title: str = Field(max_length=60)
    text: str = Field(max_length=260)
    there: str = Field(default="", max_length=260)
    t_s: float | None = Field(default=None, ge=0)
    marks: tuple[Annotated[str, Field(pattern=MARK)], ...]
    """What the text speaks of: each is in the picture, in view and beside the card while the card is shown."""
    there_marks: tuple[Annotated[str, Field(pattern=MARK)], ...] = ()
    """What `there` speaks of."""


class Try(_Text):
    """What to try next; with a change, a button does it: {path: value}, as the JSON of the experiment names it."""

    text: str = Field(max_length=120)
    change: dict[str, Any] | None = None


class Entry(_Text):
    """A question of the gallery. Its experiment is written out, or a preset's by its name; `checked` is of `about`."""

    name: str
    order: int
    question: str = Field(max_length=120)
    about: str = Field(max_length=240)
    scheduler: str
    ideas: tuple[str, ...] = Field(min_length=1, max_length=8)
    """Terms under which somebody may look for the question."""
    preset: str | None = None
    experiment: dict[str, Any]
    tour: tuple[Step, ...] = Field(min_length=2, max_length=8)
    next: tuple[Try, ...] = Field(min_length=1, max_length=4)

    @property
    def searched(self) -> str:
        """The text that the page's search goes through, in English and in the reader's language."""
        texts = (self.question, self.about, self.scheduler, *self.ideas)
        return " ".join(word for text in texts for word in (text, gettext(text))).lower()

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, data: dict[str, Any]) -> dict[str, Any]:
        if data.get("preset") is not None:
            path = settings.FIXTURES_DIR / "presets" / f"{data['preset']}.json"
            return data | {"experiment": json.loads(path.read_text(encoding="utf-8"))}
        return data


@functools.cache
def gallery() -> tuple[Entry, ...]:
    """Read all entries, in their order."""
    found = [_read(path) for path in sorted((settings.FIXTURES_DIR / "gallery").glob("*.json"))]
    return tuple(sorted(found, key=lambda entry: (entry.order, entry.name)))


def _read(path: Path) -> Entry:
    return Entry.model_validate({"name": path.stem, **json.loads(path.read_text(encoding="utf-8"))})


def entry_of(*, name: str) -> Entry:
    """Return an entry by its name. Raises PlaygroundError."""
    found = next((entry for entry in gallery() if entry.name == name), None)
    if found is None:
        raise not_found("question in the gallery")
    return found


def experiment_of(entry: Entry) -> dict[str, Any]:
    """Return an entry's experiment with its defaults written out."""
    return Experiment.parse(entry.experiment).to_dict() | {"question": entry.question}


def for_the_page(entry: Entry) -> dict[str, Any]:
    """Return what the studio needs to begin an entry and lead through it."""
    return {
        "name": entry.name,
        "question": entry.question,
        "experiment": experiment_of(entry),
        "tour": [step.model_dump() for step in entry.tour],
        "next": [each.model_dump() for each in entry.next],
    }
