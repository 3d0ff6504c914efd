"""What the library and the fixtures declare for people to read, by part, for the catalogues of other languages.

`python -m tests.declared` names the texts that a language's file does not translate. With `--fix` it moves translations
whose English is no longer declared to the file's part `former`, where a translator finds them.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import scheduler_core

FORMER = "former"
#: What the schema of a scheduler's parameters says of itself: no page shows it.
_OF_A_MODEL = re.compile(r"\w+Params|Parameters of .*")
#: A scheduler's fields that go to another part than `schedulers`.
_PARTS = {
    "params": "parameters",
    "reasons": "reasons",
    "layers": "run",
    "counters": "run",
    "marks": "run",
    "signature": "signatures",
}


def declared_texts() -> dict[str, dict[str, str]]:
    """Return every declared text with its field (label, help, says), by part."""
    from playground.arena.declared import shipped
    from playground.catalogue.cards import families, signature_of
    from playground.catalogue.service import schedulers
    from playground.classes.lessons import ready_lessons
    from playground.gallery.service import for_the_page, gallery
    from playground.glossary.service import glossary
    from playground.lab import policies
    from playground.traces.service import bundled
    from playground.web.explained import TEMPLATES
    from scheduler_core import refarch
    from scheduler_core.claims.declared import KNOWN
    from scheduler_core.run.moment_texts import MOMENT_TEXTS
    from scheduler_core.run.telling import CLAUSES
    from scheduler_core.world.spec import COMMON_COUNTERS, COMMON_SERIES, LOAD_LAYER, OUTAGE_LAYER

    found: dict[str, dict[str, str]] = {}
    for scheduler in schedulers():
        for name, value in scheduler.items():
            _add(found, _PARTS.get(name, "schedulers"), name, value)
    for spec in scheduler_core.SCHEDULERS:
        keeper = spec.work.keeper
        _add(found, "run", "run", [asdict(each) for each in spec.series])
        _add(found, "run", "run", [asdict(each) for each in spec.maps])
        _add(found, "run", "run", {"label": keeper.label, "help": keeper.help})
        _add(found, "moments", "text", keeper.central.lower())
    _add(found, "run", "run", [asdict(each) for each in COMMON_COUNTERS])
    _add(found, "run", "run", [asdict(each) for each in COMMON_SERIES])
    _add(found, "run", "run", [asdict(LOAD_LAYER), asdict(OUTAGE_LAYER)])
    _add(found, "run", "label", [trace["note"] for trace in bundled()])
    for term in glossary():
        _add(found, "glossary", "text", [term.term, term.text])
    for group in refarch.GROUPS:
        _add(found, "stages", "label", group[1])
    for stage in refarch.STAGES:
        _add(found, "stages", "label", [stage.name, stage.meaning])
        for policy in refarch.policies_of(stage.id):
            _add(found, "stages", "label", [policy.label, policy.help])
    for clause in CLAUSES:
        _add(found, "reasons", "text", clause)
    for templates in TEMPLATES.values():
        _add(found, "explanations", "text", templates)
    for text in MOMENT_TEXTS:
        _add(found, "moments", "text", text)
    _add(found, "claims", "text", list(KNOWN.values()))
    for word in ("memory", "CPUs", "GPUs"):
        _add(found, "reasons", "text", word)
        _add(found, "run", "help", f"How much of the machine's {word} its tasks hold.")
    for family in families():
        _add(found, "schedulers", "label", family["label"])
        for card in family["cards"]:
            _add(found, "signatures", "signature", signature_of(name=card["name"]))
    _add(found, "signatures", "signature", signature_of(name="own"))
    _add(found, "policies", "policies", policies.language())
    for spec in shipped().values():
        _add(found, "challenges", "challenge", spec.model_dump(mode="json"))
        _add(found, "challenges", "text", [spec.story, spec.reference.note if spec.reference else ""])
    for lesson in ready_lessons().values():
        _add(found, "lessons", "text", [lesson.title, *lesson.aims, *lesson.guesses, lesson.point])
        for step in lesson.steps:
            _add(found, "lessons", "text", [step.text, step.notes, (step.question or {}).get("text", "")])
    for entry in gallery():
        _add(found, "gallery", "entry", for_the_page(entry) | {"about": entry.about, "label": entry.scheduler})
        _add(found, "gallery", "label", [entry.experiment.get("name", ""), *entry.ideas])
    return found


def _add(found: dict[str, dict[str, str]], part: str, field: str, value: Any) -> None:
    for name, text in _texts(value, field):
        found.setdefault(part, {})[text] = name


def _texts(data: Any, field: str) -> Iterator[tuple[str, str]]:
    from playground.web.words import READ

    if isinstance(data, Mapping):
        for name, value in data.items():
            if name != "experiment":
                yield from _texts(value, name)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value, field)
    elif isinstance(data, str) and field in READ and any(letter.isalpha() for letter in data):
        if _OF_A_MODEL.fullmatch(data):
            return
        yield field, data


def files() -> list[Path]:
    """Return the files of other languages."""
    from django.conf import settings

    return sorted((Path(settings.LOCALE_PATHS[0]) / "declared").glob("*.json"))


def translations(path: Path) -> dict[str, str]:
    """Return a file's translations by their English, without the former ones."""
    parts = json.loads(path.read_text(encoding="utf-8"))
    return {text: found for name, texts in parts.items() if name != FORMER for text, found in texts.items()}


def _tidy(path: Path, declared: set[str]) -> None:
    parts = json.loads(path.read_text(encoding="utf-8"))
    former = parts.pop(FORMER, {})
    for texts in parts.values():
        for text in [text for text in texts if text not in declared]:
            former[text] = texts.pop(text)
    kept = parts | ({FORMER: former} if former else {})
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    """Name what is not translated; return the number of texts."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    django.setup()
    by_part = declared_texts()
    missing = 0
    for path in files():
        if "--fix" in sys.argv[1:]:
            _tidy(path, {text for texts in by_part.values() for text in texts})
        known = translations(path)
        for part, texts in by_part.items():
            left = [text for text in texts if text not in known]
            missing += len(left)
            print(f"## {path.stem}: {part}: {len(texts) - len(left)} of {len(texts)}", *left, sep="\n")
    return min(missing, 1)


if __name__ == "__main__":
    raise SystemExit(main())
