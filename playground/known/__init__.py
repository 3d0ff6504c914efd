"""Results that are already known, from shipped recordings and from this server's runs. A known run is not repeated."""

from __future__ import annotations
