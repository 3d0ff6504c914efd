"""A claim of a paper or of the product as a sheet."""

from __future__ import annotations

import json
from collections.abc import Iterable

import scheduler_core
from playground.claims.figure import published_claim
from playground.claims.links import LONGEST, is_drawn
from playground.claims.parts import part_value_words
from playground.claims.schemas import ClaimIn
from playground.claims.source import claim_source
from playground.claims.view import ClaimView, claim_view
from playground.errors import PlaygroundError
from playground.figures.captions import bibtex_of, seed_words
from playground.figures.look import Look
from playground.figures.sources import Published
from playground.figures.tables import figure_csv
from playground.sheets.sheet import PAPER, SCREEN, Picture, Rows, Sheet, Text, facts_of, json_text, listed, picture_of
from playground.web.words import gettext
from scheduler_core import ExperimentError
from scheduler_core.claims import Claim
from scheduler_core.claims.outside import Missing
from scheduler_core.claims.papers import page_of, papers
from scheduler_core.claims.results import Result, saved_results
from scheduler_core.claims.running import experiment_of

#: Of a claim's experiments; the command repeats a study of many.
MOST_EXPERIMENTS = 8


def sheet_of_claim(claim: Claim, *, asked: ClaimIn, base_url: str) -> Sheet:
    """Return a claim as a sheet."""
    result = saved_results().get(claim.id)
    view, source = claim_view(claim, result), claim_source(claim, base_url)
    drawn = _drawn(claim, asked, base_url) if view.figure else None
    return Sheet(
        kind=gettext("A claim and its verdict"),
        title=source.title or claim.id,
        lead=tuple(one for one in (claim.says, _published(claim)) if one),
        verdict=view.label,
        standing=view.standing,
        reason=view.why,
        known=_known(claim, view.known),
        pictures=(drawn[0],) if drawn else (),
        tables=(_table(view),) if view.parts else (),
        facts=_facts(claim, result, source.digests),
        command=f"python -m scheduler_core claims run {claim.id}" if claim.runs else "",
        repeat=_repeat(claim),
        files=(*_experiments(claim), *((drawn[1],) if drawn else ())),
        bibtex=bibtex_of(source),
        url=source.url,
    )


def _published(claim: Claim) -> str:
    return gettext("Published: {published}", published=claim.published) if claim.published else ""


def _drawn(claim: Claim, asked: ClaimIn, base_url: str) -> tuple[Picture, Text] | None:
    def at(look: Look) -> Published:
        return published_claim(claim, asked=asked, look=look, base_url=base_url)

    try:
        picture = picture_of(at(PAPER), f"{claim.id}.svg")
    except PlaygroundError:
        return None
    data = figure_csv(at(SCREEN).figure.to_plotly_json())
    return picture, Text(gettext("Data of the figure"), f"{claim.id}.csv", data)


def _known(claim: Claim, known: str) -> tuple[str, ...]:
    if claim.missing:
        return ()
    band = gettext("Why this range: {reason}", reason=claim.why_band) if claim.why_band else ""
    return tuple(one for one in (f"{known} {claim.parameters}".strip(), band) if one)


def _table(view: ClaimView) -> Rows:
    with_seeds = any(row.seeds for row in view.parts)
    head = (
        gettext("Part"),
        gettext("Published"),
        gettext("Ours"),
        *((gettext("Ours by seed"),) if with_seeds else ()),
        gettext("Accepted range"),
        gettext("Verdict"),
    )
    cells = tuple(
        (
            f"{told['at']}. {told['name']}",
            told["published"],
            f"{told['ours']} ({told['words']})" if told["words"] else told["ours"],
            *((listed([part_value_words(one, row.unit) for one in row.seeds]) or "–",) if with_seeds else ()),
            told["band"] or "–",
            told["told"],
        )
        for told, row in zip(view.rows, view.parts, strict=True)
    )
    return Rows(gettext("Its parts"), head, cells)


def _facts(claim: Claim, result: Result | None, digests: Iterable[str]) -> tuple[tuple[str, str], ...]:
    paper = papers().get(page_of(claim))
    seeds = result.found.seeds if result is not None else claim.seeds if claim.runs else ()
    return facts_of(
        (gettext("Claim"), claim.id),
        (gettext("Paper"), f"{paper.title}. {paper.source}" if paper is not None else ""),
        (gettext("Seeds"), seed_words(seeds) if seeds else ""),
        (gettext("Version"), result.version if result is not None else scheduler_core.__version__),
        (gettext("Run on"), result.date if result is not None else ""),
        (gettext("Digest of the claim"), listed(tuple(digests))),
        (gettext("Digest of the library's sources"), result.code if result is not None else ""),
        (
            gettext("Note"),
            gettext("The library's sources have changed since the run.") if result and not result.current else "",
        ),
    )


def _repeat(claim: Claim) -> str:
    if claim.runs:
        return gettext("The command runs every experiment of the claim under every seed.")
    return claim.held or claim.missing


def _experiments(claim: Claim) -> Iterable[Text]:
    """Yield the first experiments under the first seed; work that a program draws is left to the command."""
    named = [name for name in claim.setups if name in claim.named and not is_drawn(claim, name)]
    for name in named[:MOST_EXPERIMENTS]:
        try:
            data = experiment_of(claim, name, claim.seeds[0]).to_dict()
        except (ExperimentError, Missing):  # an input that a person has to fetch
            continue
        if len(json.dumps(data)) <= LONGEST:
            yield json_text(gettext("Experiment: {name}", name=name), f"{claim.id}-{name}.json", data)
