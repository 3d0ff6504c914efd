"""Build the event loops as WebAssembly modules, and check which of the built ones are stale."""

from __future__ import annotations
