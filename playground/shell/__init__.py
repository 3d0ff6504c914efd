"""The shell around the subjects: settings' readers, the assembled API and pages, workers, processes, security."""

from __future__ import annotations
