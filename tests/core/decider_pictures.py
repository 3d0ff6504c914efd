"""Pictures of who decides, one for each kind of scheduler: `python -m tests.core.test_docs` writes them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support import PROJECT

FOLDER = PROJECT / "docs" / "images" / "decides"
_LINE, _LONG, _SHORT = "#7b8594", "#cb6c16", "#448ae1"
_ROWS, _HIGH = 5, 126
BOXES = {
    "One scheduler": (("scheduler", _SHORT, 63),),
    "Several schedulers": tuple((f"scheduler {number}", _SHORT, 23 + 40 * (number - 1)) for number in (1, 2, 3)),
    "Schedulers and workers": tuple((f"scheduler {number}", _SHORT, 43 + 40 * (number - 1)) for number in (1, 2)),
    "One scheduler for long jobs, several for short ones": (
        ("long jobs", _LONG, 23), ("short jobs", _SHORT, 63), ("short jobs", _SHORT, 103),
    ),
}  # fmt: skip
"""Each kind by its label, as `world.signature.DECIDERS` has it: boxes with a text, a color and a height."""


QUEUES = {"Schedulers and workers", "One scheduler for long jobs, several for short ones"}
"""Kinds whose workers have queues."""


def name_of(decides: str) -> str:
    """Return the file's name of a kind."""
    return f"{decides.lower().replace(',', '').replace(' ', '-')}.svg"


def picture(decides: str) -> str:
    """Draw jobs at the left, schedulers in the middle, machines at the right, and what each scheduler may use."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 {_HIGH}" width="480" height="{_HIGH}" '
        'font-family="sans-serif" font-size="12">',
        f'<text x="8" y="67" fill="{_LINE}">jobs</text>',
        *(line for box in BOXES[decides] for line in _box(*box, 356 if decides in QUEUES else 396)),
        *_machines(decides),
        f'<text x="436" y="67" fill="{_LINE}" font-size="9">machines</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _box(text: str, color: str, middle: int, end: int) -> Iterator[str]:
    yield f'<path d="M42 63C90 63 80 {middle} 128 {middle}" fill="none" stroke="{_LINE}"/>'
    yield f'<rect x="128" y="{middle - 14}" width="96" height="28" rx="6" fill="none" stroke="{color}"/>'
    yield f'<text x="176" y="{middle + 4}" fill="{_LINE}" text-anchor="middle">{text}</text>'
    for row in range(_ROWS):
        to = 15 + 24 * row
        yield (f'<path d="M224 {middle}C290 {middle} 290 {to} {end} {to}" fill="none" stroke="{color}" opacity=".55"/>')


def _machines(decides: str) -> Iterator[str]:
    for row in range(_ROWS):
        y = 6 + 24 * row
        for place in range(3 if decides in QUEUES else 0):
            yield f'<rect x="{358 + 12 * place}" y="{y + 4}" width="9" height="10" fill="none" stroke="{_LINE}"/>'
        yield f'<rect x="398" y="{y}" width="34" height="18" rx="3" fill="{_LINE}" opacity=".5"/>'
