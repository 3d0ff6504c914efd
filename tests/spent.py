"""What the tests cost and gave: processor time by part, and the dated results that `make test-all` writes."""

from __future__ import annotations

import datetime
import os
import re
import resource
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import PROJECT, descendants_of

TICKS = os.sysconf("SC_CLK_TCK")
IN_PART = "checked in part"
"""The property in which a test says what it could not check on this machine."""
OUTCOMES = ("passed", "failed", "skipped", "xfailed")
HEAD = """\
# Results of `make test-all`

`make test-all` writes this page: every test, on one machine, at one commit. It runs before an issue is resolved.
Times of parts are processor seconds with servers and browsers, so a busy machine changes them little.

"""
COLUMNS = ("date", "commit", "passed", "failed", "skipped", "expected failures", "second tries", "processor", "wall")
RUNS = f"| {' | '.join(COLUMNS)} |\n" + "|---" * len(COLUMNS) + "|\n"
ROW = re.compile(r"^\| \d{4}-.*\n", re.MULTILINE)


def processor_seconds() -> float:
    """Return the processor time of this process, of all that it started, and of what those have started."""
    own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    spent = sum(usage.ru_utime + usage.ru_stime for usage in own)
    for pid in descendants_of(os.getpid()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        spent += sum(int(ticks) for ticks in fields[11:15]) / TICKS
    return spent


def part_of(nodeid: str) -> str:
    """Return the folder and file of a test."""
    return nodeid.split("::", 1)[0]


class Spent:
    """Measure each test where it runs, add up where results arrive."""

    def __init__(self, results: str | None) -> None:
        self.results = results
        self.before = processor_seconds()
        self.began = time.monotonic()
        self.seconds: dict[str, float] = defaultdict(float)
        self.of_tests: dict[str, float] = defaultdict(float)
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.skipped: Counter[str] = Counter()
        self.expected: Counter[str] = Counter()
        self.in_part: Counter[str] = Counter()
        # No test has a second try; a plugin that gives one would show here.
        self.again: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[Any]:
        """Attach the processor seconds since the last test's end to the report on this one's end."""
        report = yield
        if report.when != "teardown":
            return report
        now = processor_seconds()
        # The time of a process that ended without being waited for is in no sum any more.
        report.processor_s, self.before = max(0.0, now - self.before), now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up by file; under xdist the controller hears what its processes measured."""
        part = part_of(report.nodeid)
        self.seconds[part] += getattr(report, "processor_s", 0.0)
        self.of_tests[report.nodeid] += getattr(report, "processor_s", 0.0)
        if report.outcome == "rerun":
            self.again.add(report.nodeid)
        elif report.when == "call" or report.outcome != "passed":
            self.counts[part]["xfailed" if hasattr(report, "wasxfail") else report.outcome] += 1
        if report.when == "call":
            self.in_part.update(str(reason) for name, reason in report.user_properties if name == IN_PART)
        if report.skipped and hasattr(report, "wasxfail"):
            self.expected[report.wasxfail.removeprefix("reason: ")] += 1
        elif report.skipped and isinstance(report.longrepr, (tuple, list)):
            self.skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print processor seconds by folder, the dearest files and tests; write the results where they are wanted."""
        folders: dict[str, float] = defaultdict(float)
        for part, seconds in self.seconds.items():
            folders["/".join(part.split("/")[:2])] += seconds
        told = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in sorted(folders.items()))
        terminalreporter.write_line(
            f"processor time: {processor_seconds():.0f} s in all, of tests {sum(folders.values()):.0f} s ({told})"
        )
        for seconds_of in (self.seconds, self.of_tests):
            for name in sorted(seconds_of, key=lambda name: -seconds_of[name])[:20]:
                terminalreporter.write_line(f"  {seconds_of[name]:6.1f} s  {name}")
        if self.results:
            self.write(Path(self.results))

    def write(self, page: Path) -> None:
        """Put this run's row above the earlier ones, and its parts below them."""
        earlier = ROW.findall(page.read_text(encoding="utf-8")) if page.exists() else []
        counts = sum(self.counts.values(), Counter())
        minutes = [f"{seconds / 60:.1f} min" for seconds in (processor_seconds(), time.monotonic() - self.began)]
        told = [str(counts[name]) for name in OUTCOMES] + [str(len(self.again))]
        cells = [datetime.date.today().isoformat(), commit(), *told, *minutes]
        text = HEAD + RUNS + f"| {' | '.join(cells)} |\n" + "".join(earlier[:19])
        text += "\n## Parts of the latest run\n\n| part | tests | processor |\n|---|---|---|\n"
        for part in sorted(self.seconds):
            text += f"| `{part}` | {sum(self.counts[part].values())} | {self.seconds[part]:.0f} s |\n"
        told_of = (("skipped", self.skipped), ("expected to fail", self.expected), (IN_PART, self.in_part))
        for title, reasons in told_of:
            if reasons:
                text += f"\n## What was {title}, and why\n\n| tests | reason |\n|---|---|\n"
                text += "".join(f"| {count} | {reason} |\n" for reason, count in sorted(reasons.items()))
        page.write_text(text, encoding="utf-8")


def commit() -> str:
    """Return the short name of the commit, and whether files differ from it."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    name = git("rev-parse", "--short", "HEAD") or "unknown"
    return name + (" and changes" if git("status", "--porcelain", "--untracked-files=no") else "")
