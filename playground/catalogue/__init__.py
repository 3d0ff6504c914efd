"""The catalog of choices: schedulers, presets, the schema of an experiment, the reference architecture."""

from __future__ import annotations
