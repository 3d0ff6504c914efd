"""Questions about an experiment that a search over runs answers, such as how many machines keep a promise."""

from __future__ import annotations
