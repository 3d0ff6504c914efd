"""The results file: the values, sources, experiments and date of the last saved run of each claim."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from scheduler_core.claims.declared import Claim, Found
from scheduler_core.claims.known import known_claims
from scheduler_core.claims.running import experiments_of, wanted_figures
from scheduler_core.claims.setups import Part
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.version import __version__

CORE = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).resolve().parent / "results.json"
FORMAT = 1
#: Parts of the library that no figure depends on: they tell, list and draw what runs gave.
_BESIDE = (
    *("__init__.py", "__main__.py", "api.py", "ask/", "cli/", "contract/", "errors.py", "experiment/labels.py"),
    *("explanation/", "inventory/", "recording/"),
    *("run/instructive", "run/moment_texts.py", "run/names.py", "run/said.py", "run/telling.py"),
    *("run/view.py", "run/waits_told.py"),
)
#: Parts that one room of schedulers alone imports.
_OF_ROOM = {"policy/": "own"}
#: Signatures make experiments and measures, which a result's `asked` holds; of studies claims use paths alone.
_SIGNATURES = {"signature.py", "signatures.py"}
_OF_STUDIES = {"places.py"}
_OF_CLAIMS = {
    *("dissecting.py", "drawn.py", "expressions.py", "fairest.py", "figures.py", "measures.py", "outside.py"),
    "programs.py",
}
_LONG = r'"""(?:\\.|[^\\])*?"""'
_SHORT = r"""(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
_TEXT = rf"{_SHORT}(?:\s*f?{_SHORT})*"
_TOLD = re.compile(rf"^[ \t]*r?{_LONG}[ \t]*$|(?P<kept>{_LONG}|{_TEXT})|#[^\n]*", re.MULTILINE)
"""Docstrings and comments; texts are `kept`, since a `#` or quotes in them begin nothing."""
#: A sentence for people: it begins with a capital or a field, and has four words or more. No figure depends on one.
_SENTENCE = re.compile(r"""["'][A-Z{][^ ]* [^ ]+ [^ ]+ """)


class Result(Part):
    """One saved run of a claim."""

    found: Found
    code: str
    """Digest of the library's sources, of schedulers those of `families` alone."""
    version: str
    date: str
    families: tuple[str, ...] = ()
    """The families of the schedulers that ran."""
    asked: str = ""
    """Digest of the claim's setups, expressions and seeds."""
    experiments: dict[str, str] = {}
    """Digests of the claim's experiments under its first seed, by their setups' names."""

    @property
    def current(self) -> bool:
        """Whether the library's sources, and what the claim asks of them, are those of the run."""
        claim = known_claims().get(self.found.id)
        return self.code == code_digest(self.families) and claim is not None and self.asked == asked_digest(claim)


@functools.cache
def code_digest(families: tuple[str, ...] = (), folder: Path = CORE) -> str:
    """Return the digest of the sources that a figure of these families of schedulers may depend on.

    Comments, docstrings and sentences for people do not count, and neither do other families, which import none of
    each other.
    """
    rooms = (name.replace("-", "_") for name in families)
    own = ("schedulers/shared/", *(f"schedulers/{room}/" for room in rooms))
    others = tuple(part for part, room in _OF_ROOM.items() if room not in families)
    digest = hashlib.sha256()
    for name, source in plain_sources(folder):
        if name.startswith(others):
            continue
        if name.startswith(own) or name.count("/") < 2 or not name.startswith("schedulers/"):
            digest.update(name.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()


@functools.cache
def plain_sources(folder: Path = CORE) -> tuple[tuple[str, bytes], ...]:
    """Return the sources that figures may depend on, by name, without comments and docstrings."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        room, _, file = name.partition("/")
        counted = {"claims": _OF_CLAIMS, "studies": _OF_STUDIES}.get(room)
        if name.startswith(_BESIDE) or (room == "schedulers" and path.name in _SIGNATURES):
            continue
        if counted is None or file in counted:
            found.append((name, plain_code(path.read_text(encoding="utf-8")).encode()))
    return tuple(found)


def plain_code(source: str) -> str:
    """Return a source without comments, docstrings, sentences for people and empty lines."""
    bare = _TOLD.sub(lambda found: (_SENTENCE.match(found["kept"] or "") and '""') or found["kept"] or "", source)
    return "\n".join(line for line in map(str.rstrip, bare.splitlines()) if line)


def asked_digest(claim: Claim) -> str:
    """Return the digest of what a claim asks: its setups, the expressions of its figures, and its seeds."""
    setups = {name: one.model_dump(mode="json") for name, one in claim.setups.items()}
    told = [setups, {name: of.text for name, of in wanted_figures(claim).items()}, claim.seeds, claim.full]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def saved_results(path: Path = RESULTS) -> dict[str, Result]:
    """Return the saved results by claim; empty if the file is missing or has another format."""
    try:
        state = path.stat()
    except OSError:
        return {}
    return dict(_read_results(path, state.st_mtime_ns, state.st_size))


@functools.lru_cache(maxsize=4)
def _read_results(path: Path, _changed_ns: int, _size: int) -> dict[str, Result]:
    """Read a file of results once for each state that it is in: a page of all claims asks for them 340 times."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.get("format") != FORMAT:
            return {}
        return {name: Result.model_validate(one) for name, one in data["results"].items()}
    except (OSError, ValueError, ValidationError, AttributeError, KeyError):
        return {}


def save_results(found: Iterable[Found], path: Path = RESULTS) -> None:
    """Put results into the file; those of other claims stay, except claims that are no more."""
    new = {one.id: _result(one) for one in found}
    kept = {name: one for name, one in saved_results(path).items() if path != RESULTS or name in known_claims()}
    data = {
        "format": FORMAT,
        "results": {name: one.model_dump(mode="json") for name, one in sorted((kept | new).items())},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _result(found: Found) -> Result:
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    claim = known_claims().get(found.id)
    if claim is None:
        return Result(found=found, code=code_digest(), version=__version__, date=date)
    made = experiments_of(claim, found.seeds[0], full=found.full) if found.seeds else {}
    families = tuple(sorted({scheduler_by_name(one.scheduler.name).family for one in made.values()}))
    return Result(
        found=found,
        code=code_digest(families),
        version=__version__,
        date=date,
        families=families,
        asked=asked_digest(claim),
        experiments={name: one.digest() for name, one in made.items()},
    )
