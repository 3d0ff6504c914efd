"""Trace readers: one file for each format, and shared parts."""

from __future__ import annotations
