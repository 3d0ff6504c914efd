"""Say what happened with templates and arguments, so that another language can say it, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler_core.run.moment_texts import LABELS, SENTENCES


@dataclass(frozen=True)
class Said:
    """A text in English, the template that it comes from, and what fills the template."""

    text: str
    template: str
    arguments: Mapping[str, str]


def fill(template: str, **arguments: str) -> Said:
    """Return a template filled with its arguments."""
    return Said(template.format(**arguments), template, arguments)


def say(name: str, **arguments: str) -> Said:
    """Return a sentence (moment_texts.SENTENCES) filled with its arguments."""
    return fill(SENTENCES[name], **arguments)


def moment(
    kind: str, at: tuple[int, int, Sequence[int]], parts: Sequence[Said], *, role: str = "", **more: Said | int
) -> dict[str, Any]:
    """Return a moment (contract.Moment). `at` is its time in ns, its task (-1 for none) and its machines.

    `role` fills the label; `more` holds the fields that not every moment has: numbers, and texts such as `tag`.
    """
    t_ns, task, machines = at
    label = fill(LABELS[kind], role=role)
    texts = {"label": [label], "sentence": list(parts)}
    texts |= {name: [text] for name, text in more.items() if isinstance(text, Said)}
    return {
        "kind": kind,
        "t_ns": t_ns,
        "task": task,
        "machines": [machine for machine in dict.fromkeys(machines) if machine >= 0],
        **{name: value for name, value in more.items() if isinstance(value, int)},
        **{name: " ".join(each.text for each in said) for name, said in texts.items()},
        "said": {name: [_kept(each) for each in said] for name, said in texts.items()},
    }


def _kept(said: Said) -> dict[str, Any]:
    """Return a text as a moment keeps it (contract.Said)."""
    return {"template": said.template, "arguments": dict(said.arguments)}
