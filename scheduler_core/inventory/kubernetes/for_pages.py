"""Give the allowed list of fields to the page's filter, as JSON types.

`python -m scheduler_core.inventory.kubernetes.for_pages` prints the module that the page imports.
"""

from __future__ import annotations

import json
from typing import Any

from scheduler_core.inventory.kubernetes.allowed import KINDS, WORDS
from scheduler_core.inventory.kubernetes.seen import IGNORED
from scheduler_core.inventory.names import KNOWN_CLASSES, KNOWN_KEYS, KNOWN_RESOURCES, KNOWN_VALUES

_WIDTH = 100


def allowed() -> dict[str, Any]:
    """Return the trees of kept fields, and the words, keys, resources and values that stay as they are."""
    return {
        "kinds": KINDS,
        "ignored": sorted(IGNORED),
        "words": sorted(WORDS),
        "keys": sorted(KNOWN_KEYS),
        "resources": sorted(KNOWN_RESOURCES),
        "classes": sorted(KNOWN_CLASSES),
        "values": sorted(KNOWN_VALUES),
    }


def as_module() -> str:
    """Return the page's module: the JSON in lines of 100 characters."""
    text = json.dumps(allowed(), separators=(",", ":"), sort_keys=True)
    lines = "".join(f"    '{text[at : at + _WIDTH]}',\n" for at in range(0, len(text), _WIDTH))
    about = (
        "/** Made by `python -m scheduler_core.inventory.kubernetes.for_pages`: which fields of objects are kept. */"
    )
    kind = "/** @type {Record<string, any>} */"
    return f'{about}\n\n{kind}\nexport const ALLOWED = JSON.parse(\n  [\n{lines}  ].join(""),\n);\n'


if __name__ == "__main__":
    print(as_module(), end="")
