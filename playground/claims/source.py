"""The sources of a claim's figures: title, version, digest, and the runs behind them."""

from __future__ import annotations

import hashlib
import json

import scheduler_core
from playground.figures.captions import Source, run_words, seed_words
from playground.web.words import gettext
from scheduler_core.claims import Claim
from scheduler_core.claims.papers import page_of, papers
from scheduler_core.claims.parts import PartRow
from scheduler_core.claims.results import Result, saved_results


def claim_source(claim: Claim, base_url: str) -> Source:
    """Return a claim's source. The digest is of its declaration, from which all its experiments follow."""
    result = saved_results().get(claim.id)
    declared = json.dumps(claim.model_dump(mode="json"), sort_keys=True)
    return Source(
        title=claim_title(claim),
        version=result.version if result is not None else scheduler_core.__version__,
        digests=(hashlib.sha256(declared.encode()).hexdigest(),),
        url=f"{base_url}/papers/{page}#{claim.id}" if (page := page_of(claim)) else f"{base_url}/papers",
        key=claim.id,
        digest_of="claim",
    )


def claim_title(claim: Claim) -> str:
    """Name a claim by its system and its place in the paper."""
    paper = papers().get(page_of(claim))
    return f"{paper.system}: {claim.place}" if paper is not None else claim.place or claim.id


def runs_behind(rows: tuple[PartRow, ...], result: Result | None) -> list[str]:
    """Return in words the number of runs behind a value of ours, and their seeds if they are known."""
    if result is not None and result.found.seeds:
        seeds = result.found.seeds
        return [
            run_words([len(seeds)], "value"),
            gettext("{seeds}, run on {date}", seeds=seed_words(seeds), date=result.date),
        ]
    many = max((len(row.seeds) for row in rows), default=0)
    return [run_words([many], "value")] if many else []
