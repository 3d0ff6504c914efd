"""Each number that a telling moment says is what the recording's track and decision log give when counted again."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import pytest

from scheduler_core import Experiment, Simulation
from scheduler_core.recording.track import numbers
from scheduler_core.run.moment_texts import PLACES, SENTENCES, TAGS
from scheduler_core.run.view import RunView
from tests.recorded import Recorded
from tests.support import PROJECT
from tests.tiers import all_but_wide

KNOWN = PROJECT / "fixtures" / "known"
UNITS_NS = {"s": 1e9, "ms": 1e6, "µs": 1e3}
PARTS = dict(zip(PLACES.values(), ("framework", "processing", "communication", "worker"), strict=True))
NEVER = (1 << 32) - 1
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
NAMES = {text: name for name, text in (SENTENCES | {f"tag {name}": text for name, text in TAGS.items()}).items()}
#: Fields of decisions that name things and count nothing.
OF_NAMES = {"role", "place_1", "place_2", "place_3", "place_4", "cluster", "cluster_bare", "queue_frm", "queue_to"}
Values = dict[str, Any]


class Told:
    """A recording as a moment may be recounted from it."""

    def __init__(self, path: Path) -> None:
        self.recorded = Recorded.read(path)
        with zipfile.ZipFile(path) as file:
            self.moments = json.loads(file.read("moments.json"))["moments"]
            summary = json.loads(file.read("summary.json"))
            table = parquet.read_table(io.BytesIO(file.read("decisions.parquet")))
        self.meta, track = self.recorded.meta, self.recorded.track
        self.log = {name: table[name].to_numpy() for name in table.column_names}
        if track is None or self.meta["decisions_thinned"]:
            # The recording of a large run keeps a part of its log and no track: the run itself is counted again.
            run = Simulation(Experiment.model_validate(self.meta["experiment"]), frames=0)
            for _ in run.run():
                pass
            assert run.result is not None
            assert run.result.summary["outcome_digest"] == summary["outcome_digest"]
            log, track = run.decisions(), RunView(run).track()
            self.log = {name: log[name] for name in log.dtype.names}
        self.track: Values = track
        self.unit_ns = int(self.track["unit_ns"])
        self.column = {
            name: numbers(wire)
            for name, wire in self.track["tasks"].items()
            if name not in ("count", "long", "keeper", "size", "queue")
        }
        self.templates = {each["template"]: each for each in self.meta["reasons"]}

    @cached_property
    def number(self) -> Any:
        """The numbers of the tasks; where none are stored, a row is a task."""
        stored = self.column["task"]
        return stored if len(stored) else np.arange(len(self.column["job"]))

    @cached_property
    def begun(self) -> Any:
        return self.column["arrival"] + sum(self.column[part] for part in PARTS.values())

    @cached_property
    def spells(self) -> Any:
        return np.stack([numbers(self.track["spells"][name]) for name in ("row", "start", "end")])

    def row(self, task: int) -> int:
        """The row of a task in the track."""
        found = np.flatnonzero(self.number == task)
        assert len(found) == 1, f"task {task} is not in the track"
        return int(found[0])

    def job(self, task: int) -> int:
        return int(self.column["job"][self.row(task)])

    def decisions(self, **wanted: Any) -> list[Values]:
        """The decisions with these values."""
        fits = np.ones(len(self.log["t_ns"]), bool)
        for name, value in wanted.items():
            fits &= np.isin(self.log[name], value)
        return [{name: int(column[at]) for name, column in self.log.items()} for at in np.flatnonzero(fits)]

    def codes(self, *roles: str) -> list[int]:
        """The reasons that move tasks in these roles."""
        return [move["reason"] for move in self.meta["work"]["moves"] if move["role"] in roles]

    def until(self, machine: int, t_ns: int) -> int:
        """When the task that runs on a machine at an instant ends, in nanoseconds."""
        runs = (self.column["machine"] == machine + 1) & (self.begun * self.unit_ns <= t_ns + self.unit_ns)
        ends = (self.begun + self.column["ran"])[runs & (self.column["ran"] != NEVER)] * self.unit_ns
        return int(ends[ends > t_ns].max())


def _wait(told: Told, moment: Values, said: Values) -> Values:
    row = told.row(moment["task"])
    parts = {place: int(told.column[part][row]) * told.unit_ns for place, part in PARTS.items()}
    found: Values = {"task": moment["task"], "time": sum(parts.values())}
    return found | {f"time_{at}": parts[said[f"place_{at}"]] for at in range(1, 5) if f"place_{at}" in said}


def _busy(told: Told, moment: Values, said: Values) -> Values:
    before = told.row(int(said["task"].replace(",", "")))
    machine = int(told.column["machine"][before]) - 1
    assert told.begun[before] + told.column["ran"][before] <= told.begun[told.row(moment["task"])] + 1
    return {
        "task": int(told.number[before]),
        "machine": machine,
        "time": told.column["ran"][before] * told.unit_ns,
    }


def _refused(told: Told, moment: Values, said: Values) -> Values:
    return {"task": moment["task"], "times": len(told.decisions(task=moment["task"], reason=told.codes("bounce")))}


def _robbed(told: Told, moment: Values, said: Values) -> Values:
    victim = moment["machines"][1]
    return {"machine": victim, "time": told.until(victim, moment["t_ns"]) - moment["t_ns"]}


def _had_run(told: Told, moment: Values, said: Values) -> Values:
    row, start, end = told.spells
    mine = np.flatnonzero(
        (row == told.row(moment["task"])) & (abs(end * told.unit_ns - moment["t_ns"]) <= told.unit_ns)
    )
    assert len(mine) == 1
    return {"task": moment["task"], "time": (end - start)[mine[0]] * told.unit_ns}


def _room_for(told: Told, moment: Values, said: Values) -> Values:
    """The task that is the next to start on the machine, in its first attempt or a later one."""
    task = int(said["task"].replace(",", ""))
    row, start, _ = told.spells
    place = told.row(task)
    whole = told.begun[place] if told.column["machine"][place] == moment["machines"][0] + 1 else NEVER
    starts = [int(whole), *start[row == place].tolist()]
    assert any(moment["t_ns"] <= (each + 1) * told.unit_ns < moment["t_ns"] + 2e9 for each in starts), starts
    code = next(each["code"] for each in told.meta["reasons"] if each["name"] == "made_room")
    rows = told.decisions(reason=code, machine=moment["machines"][0])
    return {"task": [each["task"] for each in rows if each["t_ns"] <= moment["t_ns"]][-1]}


def _decision(told: Told, moment: Values, said: Values) -> Values:
    return {"task": moment["task"], "time": told.column["processing"][told.row(moment["task"])] * told.unit_ns}


def _round(told: Told, moment: Values, said: Values) -> Values:
    """All tasks that left their queue at one instant, which is when the round of the moment's task began."""
    leaves = told.column["arrival"] + told.column["framework"]
    return {"task": moment["task"], "tasks": int((leaves == leaves[told.row(moment["task"])]).sum())}


def _given(told: Told, moment: Values, said: Values) -> Values:
    task, waiting = moment["task"], moment["beside"]
    found = {"task": task, "waiting": waiting, "taker": told.job(task), "giver": told.job(waiting)}
    return found | {"machine": int(told.column["machine"][told.row(task)]) - 1, "until": moment.get("latest_ns", 0)}


def _put_off(told: Told, moment: Values, said: Values) -> Values:
    task, since = moment["task"], moment["since_ns"]
    start = int(told.begun[told.row(task)]) * told.unit_ns
    until = moment.get("latest_ns", 0)
    return {"task": task, "job": told.job(task), "at": since, "time": start - since, "until": until}


def _skipped(told: Told, moment: Values, said: Values) -> Values:
    task, since, at = moment["task"], moment["since_ns"], moment["t_ns"]
    starts = told.begun * told.unit_ns
    others = (starts >= since) & (starts < at) & (told.column["job"] != told.job(task))
    found = {"task": task, "job": told.job(task), "time": at - since, "tasks": int(others.sum())}
    return found | {"machine": int(told.column["machine"][told.row(task)]) - 1}


def _central(told: Told, moment: Values, said: Values) -> Values:
    job = told.job(moment["task"])
    code = next(each["reason"] for each in told.decisions(task=moment["task"]) if each["machine"] >= 0)
    rows = [each for each in told.decisions(reason=code) if told.job(each["task"]) == job]
    waits = [each["x"] for each in rows]
    return {"job": job, "tasks": len(rows), "least": min(waits), "most": max(waits)}


def _probes(told: Told, moment: Values, said: Values) -> Values:
    mine = [each for each in moment["probes"] if each["task"] >= 0]
    job = told.job(moment["task"])
    assert {each["task"] for each in mine} == set(told.number[told.column["job"] == job])
    machines = [each["machine"] for each in moment["probes"]]
    found = {"job": job, "probes": len(machines), "tasks": len(mine), "machines": machines}
    return found if said.keys() != {"probes"} else {"probes": len(machines) - len(mine)}


def _probe_got(told: Told, moment: Values, said: Values) -> Values:
    row = told.row(int(said["task"].replace(",", "")))
    waited = (told.begun[row] - told.column["arrival"][row]) * told.unit_ns
    return {"task": int(told.number[row]), "machine": int(told.column["machine"][row]) - 1, "time": waited}


def _several_jobs(told: Told, moment: Values, said: Values) -> Values:
    """The jobs that have arrived and of which a task begins later, and the first of them."""
    begun, arrival = told.begun * told.unit_ns, told.column["arrival"] * told.unit_ns
    there = (arrival <= moment["t_ns"]) & (begun > moment["t_ns"] + told.unit_ns)
    jobs = sorted({int(each) for each in told.column["job"][there]})
    found = {"count": len(jobs), "jobs": jobs, "earliest": jobs[0], "task": moment["task"]}
    return found | {"job": told.job(moment["task"])}


def _queues(told: Told, moment: Values, said: Values) -> Values:
    """The tasks that wait at the master when it chooses, by the track: each leaves after it came, and runs there."""
    [mine] = [each for each in told.decisions(task=moment["task"]) if each["machine"] >= 0]
    short_s = told.meta["experiment"]["scheduler"]["params"]["short_cutoff_s"]
    start = told.begun * told.unit_ns
    at_master = {each["task"]: each["to"] for each in told.decisions() if each["machine"] >= 0}
    here = np.array([at_master.get(int(each)) == mine["to"] for each in told.number])
    way = told.column["communication"] * told.unit_ns
    left, came = start - way // 2, told.column["arrival"] * told.unit_ns + way // 2
    waits = here & (came < moment["t_ns"] - told.unit_ns) & (left > moment["t_ns"] + told.unit_ns)
    waits &= told.number != moment["task"]
    mean = {job: told.column["ran"][told.column["job"] == job].mean() for job in set(told.column["job"][waits])}
    longs = sum(mean[job] * told.unit_ns > short_s * 1e9 for job in told.column["job"][waits])
    found = {"task": moment["task"], "keeper": mine["to"], "short": int(waits.sum()) - longs, "long": longs}
    return found | {"machine": mine["machine"], "time": mine["x"]}


def _data(told: Told, moment: Values, said: Values) -> Values:
    stored = moment["machines"] if moment["kind"] == "at_data" else moment["machines"][1:]
    return {"task": moment["task"], "machines": sorted(stored)}


#: How the numbers of each sentence are counted again, by the sentence's name.
AGAIN: dict[str, Callable[[Told, Values, Values], Values]] = {
    **dict.fromkeys(["waited", "waited_all", "waited_1", "waited_2", "waited_3", "waited_4"], _wait),
    **dict.fromkeys(["given", "given_late", "tag uses", "tag gives"], _given),
    **dict.fromkeys(["put_off", "put_off_late", "tag put_off"], _put_off),
    **dict.fromkeys(["skipped", "skipped_others", "skipped_end", "tag skipped"], _skipped),
    **dict.fromkeys(["central", "central_free", "tag central"], _central),
    **dict.fromkeys(["probes", "probes_of_one", "probes_lost", "tag probes", "tag probes_of_one"], _probes),
    **dict.fromkeys(["several_jobs", "many_jobs"], _several_jobs),
    **dict.fromkeys(["queues", "takes_short", "takes_long", "reserved"], _queues),
    "data": _data,
    "busy": _busy,
    "refused": _refused,
    "robbed": _robbed,
    "had_run": _had_run,
    "loses": lambda _told, moment, _said: {"task": moment["task"]},
    "room_for": _room_for,
    "decision": _decision,
    "round": _round,
    "probe_got": _probe_got,
    "probe_lost": lambda _told, _moment, _said: {},
    "report": lambda _told, _moment, _said: {},
}


def of_decision(told: Told, moment: Values, template: str) -> Values:
    """The numbers of the decision that a moment tells, read from the log."""
    code = told.templates[template]["code"]
    rows = [each for each in told.decisions(reason=code) if each["t_ns"] <= moment["t_ns"]]
    mine = [each for each in rows if each["task"] == moment["task"]]
    # A steal is logged of the probe's task; the moment names the task that it brought.
    mine = mine or [each for each in rows if each["machine"] == moment["machines"][0]]
    row = [each for each in mine if each["t_ns"] == mine[-1]["t_ns"]][0 if moment["kind"].startswith("first_") else -1]
    x, y = row["x"], row["y"]
    found: Values = {name: row[name] for name in ("machine", "frm", "to", "count", "x", "y")}
    found |= {"x_s": x, "y_s": y, "y_tenths": y / 10, "count_x": x.bit_count(), "taken": x}
    found |= {"loss": row["machine"], "loss_frm": row["frm"]}
    found |= {"y_high_share": (y >> 32) / 1e4, "y_low_share": (y & 0xFFFFFFFF) / 1e4}
    queues = told.meta["queues"]
    return found | {"owner_to": queues[row["to"]]["owner"] if 0 <= row["to"] < len(queues) else -1}


def same(text: str, value: Any) -> bool:
    """Whether a number as it is said is the one that was counted, to its three digits."""
    said = [float(each.replace(",", "")) for each in NUMBER.findall(text)]
    if isinstance(value, list):
        return said == value
    scale = UNITS_NS.get(text.split(" ")[-1], 1.0)
    exact = scale == 1.0 and "%" not in text
    return len(said) == 1 and abs(said[0] * scale - value) <= (0 if exact else 0.006 * abs(value) + 2_000)


RECORDINGS = sorted(path.stem for path in KNOWN.glob("*.zip"))
FEW = ["gallery-rack-fails", "gallery-old-news", "signature-carbyne", "signature-hawk", "signature-sparrow"]


@pytest.mark.parametrize("name", all_but_wide(RECORDINGS, FEW))
def test_numbers_of_telling_moments_are_counted_again_from_the_recording(name: str) -> None:
    told = Told(KNOWN / f"{name}.zip")
    checked = 0
    for moment in told.moments:
        for field, sentences in moment["said"].items():
            for each in sentences if field != "label" else ():
                template, said = each["template"], each["arguments"]
                fields = [part for part in re.findall(r"\{(\w+)\}", template) if part not in OF_NAMES]
                again = NAMES.get(template)
                if again is None:
                    found = of_decision(told, moment, template)
                else:
                    found = AGAIN[again](
                        told, moment, {part: said[part] for part in re.findall(r"\{(\w+)\}", template)}
                    )
                for part in fields:
                    where = (name, moment["kind"], template, part, said[part], found.get(part))
                    if re.search(r"\d", said[part]) or part not in ("taken", "cause", "lack", "told"):
                        assert part in found, where
                        assert same(said[part], found[part]), where
                        checked += 1
            said_of = [json.dumps([each["arguments"], each["template"]]) for each in sentences]
            told_of = moment.get(field, "")
            assert set(NUMBER.findall(told_of)) <= set(NUMBER.findall(" ".join(said_of))), (name, told_of)
    assert checked, "moments without numbers tell nothing"
