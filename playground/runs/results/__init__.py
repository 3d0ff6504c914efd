"""The stored results of a finished run, and what is read from them without a simulation."""

from __future__ import annotations
