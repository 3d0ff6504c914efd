"""The caption of a published figure: what it shows, its sources, and how to cite it."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any, Literal
from urllib.parse import urlsplit

from playground.figures.words import capital
from playground.web.words import gettext, ngettext

#: What stands for some runs in a figure.
Mark = Literal["point", "cell", "value"]


@dataclass(frozen=True)
class Source:
    """Where a figure's data come from: enough to make it again."""

    title: str
    version: str
    digests: tuple[str, ...]
    """Whole."""
    url: str
    key: str
    """An id that makes the citation's key unique."""
    year: int = field(default_factory=lambda: date.today().year)
    digest_of: str = "experiment"
    """What the digests are of."""
    plan: str = ""
    """The digest of a study's experiment and plan, which together give every run; empty for other figures."""
    seeds: str = ""
    """The seeds in words: `10 seeds (1 to 10)`."""


def caption_of(title: str, sentences: Sequence[str], source: Source) -> str:
    """Write a caption: the title, what the marks are and how many runs they rest on, the version, the digests."""
    made = f"Scheduler Playground {source.version}"
    if source.digests:
        made += f", {_digest_words(source, [digest[:12] for digest in source.digests])}"
    if link := public_link(source.url):
        made += f", {link}"
    parts = (part.rstrip(".") for part in (title, *sentences, made) if part)
    return " ".join(f"{part}." if part.startswith("n =") else f"{capital(part)}." for part in parts)


def _digest_words(source: Source, digests: Sequence[str]) -> str:
    """Name digests by what they are of."""
    listed, many = ", ".join(digests), len(digests)
    if source.digest_of == "claim":
        return ngettext("claim digest {digests}", "claim digests {digests}", many, digests=listed)
    return ngettext("experiment digest {digests}", "experiment digests {digests}", many, digests=listed)


def seed_words(seeds: Sequence[int]) -> str:
    """Name the seeds of a study: `10 seeds (1 to 10)`."""
    many = ngettext("{n} seed", "{n} seeds", len(seeds))
    if not seeds:
        return many
    if len(seeds) == 1:
        return f"{many} ({seeds[0]})"
    return gettext("{seeds} ({first} to {last})", seeds=many, first=str(seeds[0]), last=str(seeds[-1]))


def load_words(workload: Mapping[str, Any], varied: Sequence[str] = ()) -> str:
    """Return that arrivals are stretched: a trace's load is set or varied, or a load takes the place of a rate."""
    if workload["kind"] == "trace":
        path = "workload.offered_load"
        if workload.get("offered_load") is None and path not in varied:
            return ""
        if path in varied:
            return gettext("The arrivals of the trace are stretched to each load")
        return gettext("The arrivals of the trace are stretched to the load")
    arrivals = workload.get("arrivals") or {}
    own_rate = arrivals.get("rate_per_s") is not None or arrivals.get("kind") == "replayed"
    if own_rate and "workload.arrivals.offered_load" in varied:
        return gettext("The arrivals of the workload are stretched to each load")
    return ""


def public_link(url: str) -> str:
    """Return a link that a reader elsewhere can open; empty for one to this computer or to a local network."""
    host = urlsplit(url).hostname or ""
    try:
        return url if ipaddress.ip_address(host).is_global else ""
    except ValueError:
        return url if "." in host and not host.endswith((".local", ".localhost", ".lan")) else ""


def run_words(counts: Sequence[int], what: Mark = "point", of: Literal["run", "pair"] = "run") -> str:
    """Return the number of runs behind each mark in words: `n = 10 runs per point`, or a range."""
    if not counts:
        return gettext("no run is done")
    low, high = min(counts), max(counts)
    many = f"{low}" if low == high else gettext("{first} to {last}", first=str(low), last=str(high))
    if of == "pair":
        runs = ngettext("{count} pair", "{count} pairs", high, count=many)
    else:
        runs = ngettext("{count} run", "{count} runs", high, count=many)
    if what == "cell":
        return gettext("n = {runs} per cell", runs=runs)
    if what == "value":
        return gettext("n = {runs} per value", runs=runs)
    return gettext("n = {runs} per point", runs=runs)


def bibtex_of(source: Source) -> str:
    """Write a BibTeX entry for a figure: the project, its version, digests, and a link that others can open."""
    digests = [_digest_words(source, [digest]) for digest in source.digests]
    made = gettext("Scheduler Playground, version {version}", version=_escaped(source.version))
    plain = re.sub(r"[^A-Za-z0-9]+", "", source.key)
    fields = {
        "title": _escaped(source.title),
        "author": "{The Scheduler Playground authors}",
        "year": str(source.year),
        "howpublished": gettext("Figure made with the software Scheduler Playground"),
        "version": _escaped(source.version),
        "note": "; ".join([made, *digests, *_exactly(source)]),
    }
    if link := public_link(source.url) or project_link():
        fields["url"] = link
    rows = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{scheduler-playground-{plain},\n{rows}\n}}\n"


def _exactly(source: Source) -> list[str]:
    """Return what tells a figure from others of the same experiment: the digest of its plan, and its seeds."""
    plan = [gettext("plan digest {digest}", digest=source.plan)] if source.plan else []
    return [*plan, source.seeds] if source.seeds else plan


def plan_digest(digest: str, plan: Mapping[str, Any]) -> str:
    """Return the SHA-256 of an experiment's digest and a plan; the plan's name changes no run and is left out."""
    asked = {key: value for key, value in plan.items() if key != "name"}
    text = json.dumps({"experiment": digest, "plan": asked}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def project_link() -> str:
    """Return the first address that the installed package declares for the project, or an empty text."""
    try:
        declared = metadata("scheduler-playground").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    return next(filter(None, (public_link(line.rpartition(" ")[2]) for line in declared)), "")


def _escaped(text: str) -> str:
    """Write a text so that TeX prints it."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(letter) or (f"\\{letter}" if letter in "&%$#_{}" else letter) for letter in text)
