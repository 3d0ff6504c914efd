"""The results file: what the last saved runs of claims gave, with the digest of the code and the date."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from scheduler_core.claims.declared import Found
from scheduler_core.claims.setups import Part
from scheduler_core.version import __version__

RESULTS = Path(__file__).resolve().parent / "results.json"
FORMAT = 1


class Result(Part):
    """One saved run of a claim."""

    found: Found
    code: str
    """Digest of the library's sources."""
    version: str
    date: str

    @property
    def current(self) -> bool:
        """Whether the library's sources are those of the run."""
        return self.code == code_digest()


@functools.cache
def code_digest() -> str:
    """Return the digest of the library's sources: any of them may change a figure."""
    folder = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def saved_results(path: Path = RESULTS) -> dict[str, Result]:
    """Read the results by claim; none where there is no file, or one of another format."""
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.get("format") != FORMAT:
            return {}
        return {name: Result.model_validate(one) for name, one in data["results"].items()}
    except (ValueError, ValidationError, AttributeError, KeyError):
        return {}


def save_results(found: Iterable[Found], path: Path = RESULTS) -> None:
    """Put results into the file; those of other claims stay."""
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    new = {one.id: Result(found=one, code=code_digest(), version=__version__, date=date) for one in found}
    kept = dict(sorted((saved_results(path) | new).items()))
    data = {"format": FORMAT, "results": {name: one.model_dump(mode="json") for name, one in kept.items()}}
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
