"""Measures each row in a process of its own, so that its memory is its own; prints a table, writes bench.json."""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.machine import machine
from bench.measured import Row, Skipped
from bench.rows import ROWS

_TARGET = Path(__file__).resolve().parents[1] / "bench.json"
_REPEATS = 5
_STEADY = 1.3
# One core: no library may start threads of its own.
_ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def main() -> int:
    """Measure and report; 1 when a row failed, 2 for a name that is no row's."""
    args = _arguments()
    chosen = [row for row in ROWS if row.name == args.only] or [row for row in ROWS if (args.only or "") in row.name]
    if not chosen:
        print(f"bench: no row is called {args.only}; there are {', '.join(row.name for row in ROWS)}", file=sys.stderr)
        return 2
    repeats = 1 if args.quick else _REPEATS
    if args.child:
        print(json.dumps(_measure(chosen[0], repeats)))
        return 0
    facts = machine()
    print(
        f"{facts['processor']}, {facts['cores']} cores; Python {facts['python']}, Numba {facts['numba']}; "
        f"load {facts['load_average'][0]} at the start\n"
    )
    results = []
    for row in chosen:
        results.append(_in_a_process(row, args.quick))
        print(_line(row, results[-1]), flush=True)
    _TARGET.write_text(json.dumps({"machine": facts, "repeats": repeats, "rows": results}, indent=2) + "\n")
    print(f"\nwritten to {_TARGET.name}")
    return 1 if any("error" in result for result in results) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure schedulers, sockets and pages.")
    parser.add_argument("--only", metavar="NAME", help="rows whose name contains this")
    parser.add_argument("--quick", action="store_true", help="one repeat instead of five")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _measure(row: Row, repeats: int) -> dict[str, Any]:
    """In the row's own process: its result as plain data."""
    load = os.getloadavg()[0]
    try:
        measured = row.measure(repeats)
    except Skipped as reason:
        return {"name": row.name, "unit": row.unit, "skipped": str(reason)}
    own_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "name": row.name,
        "unit": row.unit,
        "median": statistics.median(measured.values),
        "values": list(measured.values),
        "peak_rss_mb": measured.child_rss_mb or own_mb,
        "note": measured.note,
        "load_before": load,
    }


def _in_a_process(row: Row, quick: bool) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench", "--child", "--only", row.name, *(["--quick"] if quick else [])]
    done = subprocess.run(command, env=os.environ | _ONE_CORE, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return {"name": row.name, "unit": row.unit, "error": f"ended with {done.returncode}"}
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _line(row: Row, result: dict[str, Any]) -> str:
    if "median" not in result:
        return f"{row.name:26}{'skipped: ' + result['skipped'] if 'skipped' in result else result['error']}"
    value = result["median"]
    shown = f"{value:,.0f}" if row.unit in ("tasks/s", "rows/s", "viewers") else f"{value:.2f}"
    memory = f"{result['peak_rss_mb']:,.0f} MB"
    spread = max(result["values"]) / (min(result["values"]) or 1)
    unsteady = f"  UNSTEADY: repeats differ by a factor of {spread:.1f}" if spread > _STEADY else ""
    return f"{row.name:26}{shown:>12} {row.unit:8}{memory:>10}  {result['note']}{_verdict(row, value)}{unsteady}"


def _verdict(row: Row, value: float) -> str:
    """Hold the value against the target, where there is one."""
    if row.at_least is not None:
        return f"  [at least {row.at_least:,.0f}: {'met' if value >= row.at_least else 'MISSED'}]"
    if row.at_most is not None:
        return f"  [at most {row.at_most:g} {row.unit}: {'met' if value <= row.at_most else 'MISSED'}]"
    return ""
