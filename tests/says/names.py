"""Names of queues, clusters and owners as the page shows them: those that nobody gave are numbers."""

from __future__ import annotations

import re
from typing import Any


def bare_name(name: str) -> str:
    """A generated name is its number."""
    found = re.fullmatch(r"(?:lm-?|q|GM )(\d+)", name)
    return found[1] if found else name


def queue_name(name: str) -> str:
    return f"Queue {bare_name(name)}" if bare_name(name) != name else name


def cluster_name(name: str) -> str:
    hall = re.fullmatch(r"hall-(\d+)", name)
    if hall or name in ("lm", "machines"):
        return f"Hall {hall[1]}" if hall else "Cluster 0"
    return f"Cluster {bare_name(name)}" if bare_name(name) != name else name


def names_in(meta: Any) -> list[str]:
    """All names with a number that a sentence about a run may hold."""
    owners = [f"Master {bare_name(name)}" if bare_name(name) != name else name for name in meta["owners"]]
    keeper = ((meta.get("work") or {}).get("keeper") or {}).get("label", "")
    told = [*owners, *(queue_name(one["name"]) for one in meta["queues"])]
    told += [cluster_name(one["name"]) for one in meta["clusters"]]
    # Keepers are counted from 0, and there are fewer than machines.
    told += [f"{keeper} {number}" for number in range(min(meta["machines"], 1000))] if keeper else []
    return sorted((name for name in told if re.search(r"\d", name)), key=len, reverse=True)
