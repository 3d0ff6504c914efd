"""Redis: connections, names of keys, leases, workers, notices; and the stored files."""

from __future__ import annotations
