"""Traces: upload, read, convert, measure, fit."""

from __future__ import annotations
