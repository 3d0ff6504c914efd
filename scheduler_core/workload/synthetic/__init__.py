"""Work that is drawn from distributions: arrivals, classes of jobs, graphs."""

from __future__ import annotations
