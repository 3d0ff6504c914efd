"""Megha by the rules of its authors' second public program, which supports constraints."""

from __future__ import annotations
