"""Results that were computed before: shipped recordings, and runs of this server. A known run is not computed again."""

from __future__ import annotations
