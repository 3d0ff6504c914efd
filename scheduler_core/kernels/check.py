"""Which modules are stale, how large they are, and which event loops stay on the server."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from scheduler_core.engine import beside
from scheduler_core.engine.wasm import meanwhile, packed
from scheduler_core.engine.wasm.server import STAYS

OK, STALE, MISSING = "ok", "stale", "missing"


def report() -> dict[str, Any]:
    """Return the state of the packed file as plain data; sizes in bytes."""
    built, digests = packed.manifest(), packed.digests()
    loops = packed.event_loops()
    modules = [
        {
            "kernel": kernel,
            "state": _state(digest, built.get(kernel)),
            "bytes": built[kernel].size if kernel in built else None,
            "packed_bytes": built[kernel].packed if kernel in built else None,
        }
        for kernel, digest in digests.items()
        if kernel in loops
    ]
    path = packed.packed_file()
    return {
        "file": str(path),
        "bytes": path.stat().st_size if path.is_file() else 0,
        "modules": modules,
        "stale": [each for each in packed.stale() if each in built or each not in loops],
        "missing": [each["kernel"] for each in modules if each["state"] == MISSING],
        "server": [asdict(each) for each in STAYS],
        "others": {name: sum(each.size for each in built) for name, built in packed.others().items()},
        "first": {"on": beside.wanted(), "variable": beside.COMPILE_FIRST, "lacking": meanwhile.lacking()},
        "build": packed.BUILD,
    }


def _state(digest: str, built: packed.Built | None) -> str:
    if built is None:
        return MISSING
    return OK if built.digest == digest else STALE
