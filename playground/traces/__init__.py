"""Traces: uploaded, read, converted, measured, fitted."""

from __future__ import annotations
