"""The picture of fits tells, for each start of a packing scheduler, the task, machine and fit that the run logged."""

from __future__ import annotations

import io
import json
import subprocess
import zipfile

import pyarrow.parquet as parquet
import pytest

from tests.node import node
from tests.support import PROJECT


@pytest.mark.parametrize("name", ["tetris", "tetris-fair"])
def test_the_best_piece_of_the_picture_is_the_task_that_started(name: str) -> None:
    with zipfile.ZipFile(PROJECT / "fixtures" / "known" / f"signature-{name}.zip") as file:
        read = {
            table: parquet.read_table(io.BytesIO(file.read(f"graphs/{table}.parquet"))).to_pydict()
            for table in ("jobs", "stages", "placements")
        }
        log = parquet.read_table(io.BytesIO(file.read("decisions.parquet"))).to_pydict()
        meta = json.loads(file.read("meta.json"))
    tables = {
        table: {
            column.replace("_ns", "_us"): [each // 1000 if each >= 0 else -1 for each in values]
            if column.endswith("_ns")
            else values
            for column, values in columns.items()
        }
        for table, columns in read.items()
    }
    tables["stages"]["demand"] = [[amount / 1000 for amount in each] for each in tables["stages"]["demand"]]
    asked = json.dumps({"tables": tables, "meta": meta})
    script = PROJECT / "tests" / "js" / "fits_told.mjs"
    ran = subprocess.run([node(), script], input=asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    packed = next(each["code"] for each in meta["reasons"] if each["name"] == "packed")
    logged = {
        task: (machine, y >> 32)
        for task, machine, y, reason in zip(log["task"], log["machine"], log["y"], log["reason"], strict=True)
        if reason == packed
    }
    assert len(told) >= 0.95 * len(logged) > 0, "nearly every start can be told"
    for task, machine, aligned, _candidates, _yielding in told:
        assert logged[task][0] == machine
        # Tasks of one stage are alike: which of them is named makes no difference to the fit.
        assert abs(aligned * 1e6 - logged[task][1]) <= 2, task
    assert max(candidates for *_, candidates, _ in told) > 1
    assert max(yielding for *_, yielding in told) > 0
