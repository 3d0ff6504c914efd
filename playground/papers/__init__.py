"""The papers' pages: every claim with its verdict."""

from __future__ import annotations
