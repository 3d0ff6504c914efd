"""What guards the server and what it tells about itself: rate limits, log context, metrics."""

from __future__ import annotations
