"""Classes: a teacher opens one; students join by a code, follow, and answer questions before a run does."""

from __future__ import annotations
