"""Run small cases on a real Slurm controller with simulated nodes, and write when it started each job.

    python -m tests.core.slurm_controller tests/core/data/slurm_controller.json

Needs Debian's packages slurmctld, slurmd and slurm-client, and root. The tests do not run it: test_slurm_controller.py
reads what it wrote. Each case has a controller of its own; nodes are daemons on this machine with more CPUs than it
has, and jobs sleep.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FIRST_PORT = 23_000
PORTS_OF_A_CASE = 20
AT_ONCE = 9
LONGEST_S = 900
QUICK = "bf_interval=1,bf_resolution=1,batch_sched_delay=0,sched_min_interval=0"
NODE_FIELDS = (
    "NodeName", "CPUTot", "Sockets", "CoresPerSocket", "ThreadsPerCore", "RealMemory", "Weight", "State", "Partitions",
)  # fmt: skip
PARTITION_FIELDS = (
    "PartitionName", "Nodes", "Default", "MaxTime", "OverSubscribe", "PriorityJobFactor", "PriorityTier", "State",
)  # fmt: skip
OVER = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"}

Job = dict[str, Any]


def job(submit_s: float, seconds: int, minutes: int, nodes: int = 1, cpus: int = 1, **more: Any) -> Job:
    """A job that sleeps for `seconds`, with a limit in minutes, on some CPUs of each of its nodes."""
    return {"submit_s": submit_s, "seconds": seconds, "minutes": minutes, "nodes": nodes, "cpus": cpus, **more}


def case(name: str, jobs: list[Job], nodes: int = 4, cpus: int = 1, **more: Any) -> dict[str, Any]:
    """A case: the nodes, lines of slurm.conf, the same as parameters of ours, and the jobs."""
    told = {"conf": {}, "scheduler": "", "params": {}, "partitions": {"p": {}}}
    return {"name": name, "nodes": nodes, "cpus": cpus, **told, **more, "jobs": jobs}


BLOCKED = [job(0, 40, 1, 3), job(2, 25, 1, 4), job(4, 100, 2, 1), job(6, 20, 1, 1)]
RESERVED = [job(0, 60, 1, 2), job(2, 30, 1, 3), job(4, 40, 1, 4), job(6, 150, 3, 1)]
EARLY = [job(0, 25, 3, 3), job(2, 25, 1, 4), job(4, 65, 2, 1), job(6, 40, 1, 2), job(8, 20, 1, 1)]
SIZES = [job(0, 50, 1, 4), job(2, 20, 1, 1), job(4, 35, 1, 3), job(6, 25, 1, 2)]
SMALL = [job(0, 45, 1, cpus=3), job(2, 25, 1, cpus=4), job(4, 100, 2), job(6, 20, 1)]
MULTI = {"PriorityType": "priority/multifactor", "PriorityCalcPeriod": "00:01:00"}
NONE = {"SchedulerType": "sched/builtin"}


def cases() -> Iterator[dict[str, Any]]:
    """All cases, in order."""
    yield case("in order", BLOCKED, conf=NONE, params={"backfill": "none"})
    yield case("backfill", BLOCKED)
    easy = {"scheduler": "bf_job_part_count_reserve=1", "params": {"backfill": "easy"}}
    yield case("EASY reserves for one job", RESERVED, **easy)
    yield case("each job has a reservation", RESERVED)
    yield case("two jobs are tested", BLOCKED, scheduler="bf_max_job_test=2", params={"bf_max_job_test": 2})
    yield case("jobs end before their limits", EARLY)
    yield case("jobs end before their limits, EASY", EARLY, **easy)
    whole = [job(0, 40, 1), job(2, 60, 1), job(4, 25, 1), job(6, 20, 1)]
    yield case(
        "whole nodes", whole, 2, 2, partitions={"p": {"OverSubscribe": "EXCLUSIVE"}},
        params={"OverSubscribe": "EXCLUSIVE"},
    )  # fmt: skip
    yield case("shared nodes", [*whole, job(8, 30, 1, cpus=2), job(10, 20, 1)], 2, 2)
    large = {**MULTI, "PriorityWeightJobSize": 1000}
    yield case("large jobs first", SIZES, conf={**NONE, **large},
               params={"backfill": "none", "PriorityWeightJobSize": 1000})  # fmt: skip
    yield case(
        "small jobs first", SIZES, conf={**NONE, **large, "PriorityFavorSmall": "YES"},
        params={"backfill": "none", "PriorityWeightJobSize": 1000, "PriorityFavorSmall": True},
    )  # fmt: skip
    yield case("large jobs first, with backfill", SIZES, conf=large, params={"PriorityWeightJobSize": 1000})
    halves = {"p": {"Nodes": "n[1-2]"}, "q": {"Nodes": "n[3-4]"}}
    two = [job(0, 50, 1, 2, partition="p"), job(2, 20, 1, 2, partition="p"), job(4, 30, 1, 1, partition="q"),
           job(6, 25, 1, 1, partition="p"), job(8, 40, 1, 2, partition="q")]  # fmt: skip
    yield case("a blocked partition blocks no other", two, conf=NONE, params={"backfill": "none"}, partitions=halves)
    tiers = {"p": {"PriorityTier": 1}, "q": {"PriorityTier": 10}}
    mixed = [job(0, 50, 1, 4, partition="p"), job(2, 20, 1, 2, partition="p"), job(4, 30, 1, 3, partition="q"),
             job(6, 25, 1, 1, partition="p"), job(8, 40, 1, 2, partition="q")]  # fmt: skip
    yield case("a higher tier goes first", mixed, partitions=tiers)
    yield case("a higher tier goes first, in order", mixed, conf=NONE, params={"backfill": "none"}, partitions=tiers)
    yield case("one node of four CPUs", SMALL, 1, 4)
    yield case("one node of four CPUs, in order", SMALL, 1, 4, conf=NONE, params={"backfill": "none"})
    beside = [job(0, 60, 1, cpus=2), job(2, 30, 1, cpus=3), job(4, 150, 3)]
    exact = {"bf_interval": 0, "bf_resolution": 0}
    why = "Slurm reserves the whole node for the job that waits, so job 3 does not start beside its reservation."
    yield case("beside a reservation on the same node", beside, 1, 4, params=exact, differs=[3], why=why)
    chain = [job(0, 30, 1, 2), job(2, 25, 1, 1, dependency="afterany:1"), job(4, 40, 1, 4),
             job(6, 20, 1, 1, dependency="afterok:2"), job(8, 20, 1, 1, dependency="after:3")]  # fmt: skip
    yield case("jobs that depend on others", chain)
    named = [job(0, 30, 1, jobname="a"), job(2, 25, 1, jobname="a", dependency="singleton"), job(4, 20, 1, jobname="b"),
             job(6, 40, 1, 3, jobname="a", dependency="singleton")]  # fmt: skip
    yield case("one job of a name at a time", named)
    for seed in range(1, 9):
        drawn = random.Random(seed)
        modes = [{}, easy, {"conf": NONE, "params": {"backfill": "none"}}, {}]
        work = []
        for at in range(9):
            seconds = drawn.randrange(15, 110, 5) + at % 5  # ends do not coincide
            work.append(
                job(2 * at, seconds, min(3, seconds // 60 + drawn.choice([1, 1, 2])), drawn.choice([1, 1, 2, 3, 4]))
            )
        yield case(f"drawn with seed {seed}", work, **modes[seed % 4])


class Controller:
    """A controller and its nodes, in a folder of their own."""

    def __init__(self, told: dict[str, Any], number: int) -> None:
        self.told, self.folder = told, Path(tempfile.mkdtemp(prefix="slurm-"))
        self.port = FIRST_PORT + PORTS_OF_A_CASE * number
        self.conf = self.folder / "slurm.conf"
        self.daemons: list[subprocess.Popen[bytes]] = []
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        self.conf.write_text("\n".join(self._lines()) + "\n")

    def _lines(self) -> Iterator[str]:
        told = self.told
        host = subprocess.run(["hostname"], capture_output=True, text=True, check=True).stdout.strip()
        scheduler = ",".join(each for each in (QUICK, told["scheduler"]) if each)
        yield from (
            f"ClusterName=c{self.port}", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmctldPort={self.port}",
            "SlurmUser=root", "AuthType=auth/none", "CredType=cred/none", f"StateSaveLocation={self.folder}/state",
            f"SlurmdSpoolDir={self.folder}/spool/%n", f"SlurmctldPidFile={self.folder}/ctld.pid",
            f"SlurmdPidFile={self.folder}/%n.pid", f"SlurmctldLogFile={self.folder}/ctld.log",
            f"SlurmdLogFile={self.folder}/%n.log", "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none",
            "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU", "SlurmdParameters=config_overrides",
            "ReturnToService=2", "MinJobAge=7200", "MpiDefault=none", "AccountingStorageType=accounting_storage/none",
            "JobAcctGatherType=jobacct_gather/none", "SlurmctldTimeout=300", "SlurmdTimeout=600", "CompleteWait=0",
            f"SchedulerParameters={scheduler}",
        )  # fmt: skip
        conf = {"SchedulerType": "sched/backfill", "PriorityType": "priority/basic", **told["conf"]}
        yield from (f"{name}={value}" for name, value in conf.items())
        for at in range(1, told["nodes"] + 1):
            yield (
                f"NodeName=n{at} NodeHostname={host} NodeAddr=127.0.0.1 Port={self.port + at} CPUs={told['cpus']} "
                "RealMemory=1000 State=UNKNOWN"
            )
        for number, (name, more) in enumerate(told["partitions"].items()):
            rest = {"Nodes": "ALL", "Default": "NO" if number else "YES", "MaxTime": "60", "State": "UP", **more}
            yield f"PartitionName={name} " + " ".join(f"{key}={value}" for key, value in rest.items())

    def ask(self, *words: str) -> str:
        """Call one of Slurm's commands."""
        found = subprocess.run(
            words,
            capture_output=True,
            text=True,
            check=False,
            env={"SLURM_CONF": str(self.conf), "PATH": "/usr/bin:/bin"},
        )
        if found.returncode:
            raise RuntimeError(f"{' '.join(words)}: {found.stderr.strip()}")
        return found.stdout

    def start(self) -> None:
        """Start all daemons, and wait until every node is idle."""
        self._run("slurmctld")
        time.sleep(2)
        for at in range(1, self.told["nodes"] + 1):
            self._run("slurmd", "-N", f"n{at}")
        for _ in range(120):
            try:
                states = self.ask("sinfo", "-h", "-N", "-p", next(iter(self.told["partitions"])), "-o", "%T").split()
            except RuntimeError:
                states = []
            if states and set(states) == {"idle"}:
                return
            time.sleep(0.5)
        raise RuntimeError(f"{self.told['name']}: nodes are {states}; see {self.folder}")

    def _run(self, program: str, *words: str) -> None:
        path = shutil.which(program, path="/usr/sbin:/usr/bin")
        with (self.folder / f"{program}{''.join(words)}.out").open("wb") as out:
            self.daemons.append(
                subprocess.Popen([str(path), "-D", "-f", str(self.conf), *words], stdout=out, stderr=out)
            )

    def work(self) -> None:
        """Submit the jobs at their times, and wait until all have ended."""
        began = time.monotonic()
        for each in self.told["jobs"]:
            time.sleep(max(0.0, began + each["submit_s"] - time.monotonic()))
            words = ["sbatch", "-N", str(each["nodes"]), "--ntasks-per-node=1", f"--cpus-per-task={each['cpus']}",
                     "-t", str(each["minutes"]), "-o", "/dev/null", "-D", "/"]  # fmt: skip
            words += ["-p", each["partition"]] if "partition" in each else []
            words += ["-J", each["jobname"]] if "jobname" in each else []
            words += ["-d", each["dependency"]] if "dependency" in each else []
            self.ask(*words, "--wrap", f"exec sleep {each['seconds']}")
        while time.monotonic() < began + LONGEST_S:
            if all(one["JobState"] in OVER for one in self.jobs()):
                return
            time.sleep(2)
        raise RuntimeError(f"{self.told['name']}: jobs do not end")

    def jobs(self) -> list[dict[str, str]]:
        """The controller's jobs, by number, each with the fields that scontrol prints."""
        lines = self.ask("scontrol", "-o", "show", "jobs").splitlines()
        return [dict(re.findall(r"(\w+)=(\S*)", line)) for line in lines if line.startswith("JobId=")]

    def stop(self) -> None:
        """End all daemons and remove the folder."""
        for each in reversed(self.daemons):
            each.terminate()
        for each in self.daemons:
            each.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)


def _kept(printed: str, fields: tuple[str, ...]) -> list[str]:
    """Keep some fields of each line that scontrol printed."""
    lines = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in printed.splitlines()]
    return [" ".join(f"{name}={line[name]}" for name in fields if name in line) for line in lines]


def recorded(told: dict[str, Any], number: int) -> dict[str, Any]:
    """Run a case, and return it with what the controller printed, as `import-cluster` reads it."""
    controller = Controller(told, number)
    controller.start()
    controller.work()
    names = ["JobID", "JobName", "User", "State", "Partition", "Submit", "Start", "End", "Timelimit", "ReqCPUS",
             "NNodes", "Account", "Dependency"]  # fmt: skip
    lines = ["|".join(names)]
    for each, asked in zip(controller.jobs(), told["jobs"], strict=True):
        lines.append(
            "|".join(
                [
                    each["JobId"], each["JobName"], "someone", each["JobState"], each["Partition"],
                    each["SubmitTime"], each["StartTime"], each["EndTime"], each["TimeLimit"], each["NumCPUs"],
                    each["NumNodes"], "a", asked.get("dependency", ""),
                ]
            )
        )  # fmt: skip
    found = {
        **told,
        "sacct": lines,
        "nodes_printed": _kept(controller.ask("scontrol", "-o", "show", "nodes"), NODE_FIELDS),
        "partitions_printed": _kept(controller.ask("scontrol", "-o", "show", "partitions"), PARTITION_FIELDS),
    }
    controller.stop()
    print(told["name"], flush=True)
    return found


def main() -> None:
    """Record all cases, or those whose names contain a word."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("file", type=Path)
    asking.add_argument("--only", default="")
    asked = asking.parse_args()
    chosen = [each for each in cases() if asked.only in each["name"]]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(recorded, chosen, range(len(chosen))))
    version = subprocess.run(["slurmctld", "-V"], capture_output=True, text=True, check=True).stdout.split()[-1]
    lines = ",\n".join(json.dumps(each) for each in done)
    asked.file.write_text(f'{{"version": "{version}", "cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
