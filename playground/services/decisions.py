"""The decision log of a finished run: the last rows of some reasons or of one machine, up to an instant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playground.errors import PlaygroundError, problem
from playground.models import Run
from playground.services.artifacts import open_recording
from scheduler_core import RecordingReader

MOST_ROWS = 200


def last_decisions(
    *, run: Run, reasons: Sequence[str], until_s: float | None, count: int, machine: int | None = None,
    after_s: float | None = None,
) -> dict[str, Any]:
    """Return the last `count` rows, latest first, or with `after_s` the first ones after it, earliest first.

    As the recording keeps them. Raises PlaygroundError.
    """
    with open_recording(run=run) as file:
        reader = RecordingReader(file)  # type: ignore[arg-type]
        codes = {one["name"]: one["code"] for one in reader.meta["reasons"]}
        unknown = [name for name in reasons if name not in codes]
        if unknown:
            item = problem("reason", f"its scheduler gives no reason '{unknown[0]}'", allowed=", ".join(codes))
            raise PlaygroundError(422, "invalid-request", "The request cannot be understood", (item,))
        log = {name: column.to_numpy() for name, column in zip(*_columns(reader), strict=True)}
    chosen = np.isin(log["reason"], [codes[name] for name in reasons]) if reasons else np.ones(len(log["t_ns"]), bool)
    if machine is not None:
        chosen &= log["machine"] == machine
    if until_s is not None:
        chosen &= log["t_ns"] <= round(until_s * 1e9)
    if after_s is not None:
        chosen &= log["t_ns"] > round(after_s * 1e9)
    places, names = np.flatnonzero(chosen), {code: name for name, code in codes.items()}
    rows = [
        {"t_s": int(log["t_ns"][at]) / 1e9, "reason": names[int(log["reason"][at])],
         **{name: int(log[name][at]) for name in ("task", "machine", "count", "x", "y")}}
        for at in (places[-count:][::-1] if after_s is None else places[:count])
    ]  # fmt: skip
    return {"total": len(places), "rows": rows}


def _columns(reader: RecordingReader) -> tuple[list[str], list[Any]]:
    table = reader.decisions()
    return table.column_names, table.columns
