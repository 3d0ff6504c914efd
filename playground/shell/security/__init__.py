"""The server's protection and its reports about itself: rate limits, log context, metrics."""

from __future__ import annotations
