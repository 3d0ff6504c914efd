"""The moving picture of the README, made from two recorded signatures: `python -m tests.core.test_docs` writes it."""

from __future__ import annotations

from tests.support import PROJECT

PATH = PROJECT / "docs" / "images" / "moving.svg"
STILLS = PROJECT / "static" / "img" / "schedulers"
SHOWN = ("sparrow", "megha")
_WIDTH, _HEIGHT, _SECONDS = 240, 126, 10


def picture() -> str:
    """Lay the stills beside each other, and uncover them from left to right, as time goes on in the runs."""
    whole = len(SHOWN) * _WIDTH + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {_HEIGHT + 18}" width="{2 * whole}">',
        f'<clipPath id="past"><rect width="{_WIDTH}" height="{_HEIGHT}"><animate attributeName="width" '
        f'values="0;{_WIDTH};{_WIDTH}" keyTimes="0;0.85;1" dur="{_SECONDS}s" repeatCount="indefinite"/></rect>',
        "</clipPath>",
    ]
    for place, name in enumerate(SHOWN):
        still = (STILLS / f"{name}.svg").read_text(encoding="utf-8").split("\n", 1)[1].rpartition("</svg>")[0].strip()
        lines += [
            f'<g transform="translate({place * (_WIDTH + 20)} 18)">',
            f'<text y="-6" font-family="sans-serif" font-size="12" fill="#7b8594">{name.capitalize()}</text>',
            f'<g clip-path="url(#past)">{still}</g>',
            "</g>",
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"
