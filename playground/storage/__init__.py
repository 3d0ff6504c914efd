"""Redis: connections, names of keys, leases, workers, notices."""

from __future__ import annotations
