"""What there is to choose from: schedulers, presets, the schema of an experiment, the reference architecture."""

from __future__ import annotations
