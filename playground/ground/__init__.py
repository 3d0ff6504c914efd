"""What every subject stands on: who asks, addresses, the way into the simulator."""

from __future__ import annotations
