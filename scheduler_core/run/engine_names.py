"""Names of the engines of runs. This module imports no compiler, so a command line that runs nothing starts at once."""

from __future__ import annotations

AUTO, NATIVE, WASMTIME = "auto", "native", "wasmtime"
ENGINES = (AUTO, NATIVE, WASMTIME)
"""The engines by name. All of them end a run with the same arrays, to the last bit."""
