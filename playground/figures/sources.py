"""Read a figure's data from the database and from workers, and draw it: one function for each kind of figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
import pyarrow.parquet as pq

import scheduler_core
from playground.errors import PlaygroundError, problem
from playground.figures import comparisons, traces
from playground.figures.captions import (
    Source,
    bibtex_of,
    caption_of,
    load_words,
    plan_digest,
    run_words,
    seed_words,
)
from playground.figures.keeping import MOST_RUNS
from playground.figures.look import Look
from playground.figures.parameters import parameter_words
from playground.figures.run_names import names_of
from playground.figures.studies import Asked, drawn_counts, drawn_schedulers, study_figure, title_of
from playground.figures.words import duration_words, number_words
from playground.ground import links
from playground.ground.simulator import parse_experiment, stored_data
from playground.models import Run, Study
from playground.runs.results.files import open_recording, open_tasks_table, summary_of
from playground.runs.results.pairing import pairs_of
from playground.runs.service import get_run
from playground.studies.results import results_of, values_by_seed
from playground.studies.service import grid_of, study_payload
from playground.traces import facts
from playground.traces.fitting import fit_of
from playground.traces.statistics import statistics_of
from playground.web.seeds_words import seeds_words
from playground.web.words import gettext
from playground.web.words import marked as _
from scheduler_core import RecordingReader

ComparisonKind = Literal["waits", "jobs", "percentiles", "timeline", "pairs"]
_OVER_PAIRS = {
    "mean": _("interval by Student's t over the pairs"),
    "median": _("interval by order statistics"),
    "bootstrap": _("interval by the bootstrap over the pairs"),
}


@dataclass(frozen=True)
class Published:
    """A figure with what stands below it."""

    figure: go.Figure
    title: str
    caption: str
    bibtex: str
    classes: str = ""
    """What makes a job short, where the figure shows short or long jobs."""


@dataclass(frozen=True)
class Measured:
    """Statistics of a trace, and of a draw of the workload that was fitted to it with a cut-off."""

    statistics: dict[str, Any]
    fit: dict[str, Any] | None = None
    cutoff_s: float = 0.0


def _published(figure: go.Figure, sentences: list[str], source: Source, classes: str = "") -> Published:
    return Published(figure, source.title, caption_of(source.title, sentences, source), bibtex_of(source), classes)


def figure_of_study(
    *, study: Study, metric: str, statistic: str, against: int, asked: Asked, seeds: bool, look: Look, base_url: str
) -> Published:
    """Draw a study. Raises PlaygroundError for a measure, scheduler or parameter that it does not have."""
    results = results_of(study=study, metric=metric, statistic=statistic, against=against, scale="drawn")
    payload = study_payload(study=study, base_url=base_url)
    axes, labels = payload["plan"].get("axes") or [], [one["label"] for one in payload["schedulers"]]
    _refuse_outside("shown", asked.shown, len(labels), gettext("is not a scheduler of this study"))
    _refuse_outside("x", asked.x, max(1, len(axes)), gettext("is not a parameter of this study"))
    if asked.show != "values" and len(labels) < 2:
        raise _refused("show", gettext("there is no other scheduler to compare with"), "values")
    values = values_by_seed(study=study, metric=metric) if seeds else None
    figure = study_figure(payload, results, asked, look, values)
    source = Source(
        title=title_of(payload, results, asked),
        version=study.core_version,
        digests=(study.experiment.digest,),
        url=payload["url"],
        key=study.public_id,
        plan=plan_digest(study.experiment.digest, study.plan),
        seeds=seed_words(payload["seeds"]),
    )
    classes = _classes(study, results)
    heat = len(axes) == 2 and not asked.lines
    sentences = [
        _marks(results, asked, heat=heat, seeds=seeds),
        _counted(drawn_counts(payload, results, asked), heat=heat, pairs=asked.show != "values"),
        seed_words(payload["seeds"]),
        results["seeds_change"],
        load_words(stored_data(study.experiment)["workload"], [axis["path"] for axis in axes]),
        classes,
        *_left_out(payload, results, asked),
        parameter_words(
            payload["schedulers"], [part["path"] for axis in axes for part in (axis, *axis.get("along", ()))]
        ),
    ]
    return _published(figure, sentences, source, classes)


def _counted(counts: list[int], *, heat: bool, pairs: bool) -> str:
    """Return in words how many runs, or pairs of runs, are behind each mark and in the whole figure."""
    counted = run_words(counts, "cell" if heat else "point", "pair" if pairs else "run")
    if len(counts) < 2:
        return counted
    if pairs:
        return gettext("{counted}, {total} pairs of runs in all", counted=counted, total=sum(counts))
    return gettext("{counted}, {total} runs in all", counted=counted, total=sum(counts))


def _classes(study: Study, results: dict[str, Any]) -> str:
    """Return what makes a job short, where a figure shows short or long jobs."""
    if not results["metric"].startswith("by_class."):
        return str(results["definition"])
    grid = grid_of(study)
    path = "scheduler.params.short_cutoff_s"
    if any(axis.path == path for axis in grid.plan.axes):
        return gettext("Each scheduler's own cut-off decides which jobs are short; the figure varies it")
    first = {cell.scheduler: cell for cell in reversed(grid.cells)}
    cutoffs = []
    for at, label in enumerate(grid.labels()):
        # The expanded experiment holds the cut-off that a scheduler uses; one not given follows from the workload.
        params = parse_experiment(grid.experiment(first[at], grid.seeds[0])).to_dict()["scheduler"]["params"]
        if params.get("short_cutoff_s") is not None:
            cutoffs.append(f"{label} {duration_words(float(params['short_cutoff_s']))}")
    listed = ", ".join(cutoffs)
    return gettext("Each scheduler's own cut-off decides which jobs are short: {cutoffs}", cutoffs=listed)


def _left_out(study: dict[str, Any], results: dict[str, Any], asked: Asked) -> list[str]:
    """Name the schedulers that a figure lacks because their runs do not have the number."""
    drawn = drawn_schedulers(study, results, asked)
    if len(study["plan"].get("axes") or []) == 2:
        return []
    missing = [
        one["label"]
        for at, one in enumerate(study["schedulers"])
        if at not in drawn and (asked.show == "values" or at != results["against"])
    ]
    if not missing:
        return []
    return [gettext("Not drawn, because no run has this number: {schedulers}", schedulers=", ".join(missing))]


def _marks(results: dict[str, Any], asked: Asked, *, heat: bool, seeds: bool) -> str:
    """Return in words what the marks of a study's figure are."""
    if asked.show == "values":
        point, interval = results["method"].split("; ", 1)
    else:
        point = _paired(asked.show)
        interval = gettext(_OVER_PAIRS[results["statistic"]])
    if heat:
        return gettext("Cells: {estimate}", estimate=point)
    told = gettext("Points: {estimate}", estimate=point)
    bars = gettext("bars: 95 % {interval}", interval=interval)
    if asked.show != "values":
        return f"{told}; {bars}"
    told = f"{told}; {_bars(results, bars)}"
    return f"{told}; {gettext('light: single seeds')}" if seeds else told


def _paired(show: str) -> str:
    """Return in words what is computed of two runs."""
    if show == "ratio":
        return gettext("ratio of runs with the same seed")
    return gettext("difference of runs with the same seed")


def _bars(results: dict[str, Any], bars: str) -> str:
    """Return in words what a figure's bars are, or why it has none."""
    if any(cell["low"] is not None for cell in results["cells"]):
        return bars
    if any(cell["n"] > 1 for cell in results["cells"]):
        return gettext("no confidence intervals: nothing varied between seeds, or there are too few")
    return gettext("no confidence intervals: they need more seeds")


def figure_of_runs(*, run_ids: list[str], kind: ComparisonKind, series: str, look: Look, base_url: str) -> Published:
    """Draw one to eight finished runs. Raises PlaygroundError where one is not finished or they cannot be compared."""
    if not 1 <= len(run_ids) <= MOST_RUNS or (kind == "pairs" and len(run_ids) != 2):
        some = gettext("1 to {most} run ids, separated by commas", most=MOST_RUNS)
        allowed = gettext("two runs") if kind == "pairs" else some
        raise _refused("runs", gettext("names {runs} runs", runs=len(run_ids)), allowed)
    runs = [get_run(public_id=run_id) for run_id in run_ids]
    names = names_of([(stored_data(run.experiment), run.seed) for run in runs])
    figure, sentence = _drawn_runs(runs, names, kind, series, look)
    seeds = sorted({run.seed for run in runs})
    seeded = seed_words(seeds) if len(seeds) > 1 else gettext("seed {seed}", seed=str(seeds[0]))
    source = Source(
        title=figure.layout.meta["title"],
        version=", ".join(sorted({str((run.summary or {})["core_version"]) for run in runs})),
        digests=tuple(dict.fromkeys(run.experiment.digest for run in runs)),
        url=f"{base_url}/compare?runs={','.join(run_ids)}" if len(runs) > 1 else links.live_url(runs[0], base_url),
        key="-".join(run.public_id for run in runs),
        seeds=seeded,
    )
    told = gettext("one run each, {seeds}", seeds=seeded)
    stored = [stored_data(run.experiment) for run in runs]
    change = seeds_words(stored[0]) if len(seeds) > 1 else ""
    named = [{**data["scheduler"], "label": name} for data, name in zip(stored, names, strict=True)]
    load = next(filter(None, (load_words(data["workload"]) for data in stored)), "")
    return _published(figure, [sentence, told, change, load, parameter_words(named)], source)


def _drawn_runs(
    runs: list[Run], names: list[str], kind: ComparisonKind, series: str, look: Look
) -> tuple[go.Figure, str]:
    """Draw a kind of comparison; return it with a sentence on what its marks are."""
    if kind == "percentiles":
        parts = [(name, summary_of(run=run)["allocation_delay_s"]) for name, run in zip(names, runs, strict=True)]
        marks = gettext("Exact percentiles (nearest rank) over tasks")
        return comparisons.percentiles_figure(gettext("Queueing delay"), parts, look), marks
    if kind == "pairs":
        pairs = pairs_of(run=runs[0], other=runs[1])
        drawn, all_of = len(pairs["job"]), pairs["pairs"]
        shown = gettext("{drawn} of {all} jobs are drawn", drawn=drawn, all=all_of)
        if drawn == all_of:
            shown = gettext("all {all} jobs are drawn", all=all_of)
        sentence = gettext(
            "Each point is a job; {shown}; below the dashed line {name} is faster", shown=shown, name=names[0]
        )
        return comparisons.pairs_figure((names[0], names[1]), pairs, look), sentence
    if kind == "timeline":
        lines = [(name, _timeline(run, series)) for name, run in zip(names, runs, strict=True)]
        return comparisons.timeline_figure(lines, look), gettext("As recorded")
    arrays = [(name, _seconds(run, kind)) for name, run in zip(names, runs, strict=True)]
    whose = "jobs" if kind == "jobs" else "tasks"
    many = " / ".join(dict.fromkeys(number_words(len(values)) for _, values in arrays))
    if kind == "jobs":
        title, marks = gettext("Job completion time"), gettext("Empirical distribution over {many} jobs", many=many)
    else:
        title, marks = gettext("Queueing delay"), gettext("Empirical distribution over {many} tasks", many=many)
    return comparisons.distribution_figure(title, whose, arrays, look), marks


def _seconds(run: Run, kind: ComparisonKind) -> comparisons.Floats:
    """Read how long each started task waited, or how long each completed job took."""
    with open_tasks_table(run=run) as file:
        table = pq.read_table(file, columns=["job", "arrival_ns", "first_start_ns", "end_ns"])
    job, arrival, start, end = (table.column(name).to_numpy() for name in table.column_names)
    if kind == "waits":
        started = start >= 0
        waits: comparisons.Floats = (start[started] - arrival[started]) / 1e9
        return waits
    first = np.flatnonzero(np.diff(job, prepend=-1))
    if not len(first):
        return np.zeros(0)
    ended = np.minimum.reduceat(end, first) >= 0
    took: comparisons.Floats = (np.maximum.reduceat(end, first) - arrival[first])[ended] / 1e9
    return took


def _timeline(run: Run, name: str) -> comparisons.Timeline:
    """Read one series of a recording."""
    with open_recording(run=run) as file, RecordingReader(file) as reader:  # type: ignore[arg-type]
        known = {each["name"]: each for each in reader.meta["series"]}
        chosen = known.get(name or next(iter(known), ""))
        if chosen is None:
            raise _refused("series", gettext("the recording has no series '{name}'", name=name[:100]), ", ".join(known))
        rows = [row for frame in reader.frames() for row in frame.series.get(chosen["name"], [])]
    t_ns, value = np.asarray(rows, np.float64).reshape(-1, 2).T
    return comparisons.Timeline(gettext(chosen["label"]), "1" if chosen.get("unit") == "1" else "", t_ns / 1e9, value)


async def statistics_to_draw(*, trace_id: str, cutoff_s: float | None) -> Measured:
    """Ask for a trace's statistics and, if `cutoff_s` is given, those of a draw of what was fitted to it."""
    if cutoff_s is None:
        return Measured(await statistics_of(trace_id=trace_id))
    fitted = await fit_of(trace_id=trace_id, asked={"cutoff_s": cutoff_s})
    return Measured(fitted["trace"], fitted["statistics"], cutoff_s)


def figure_of_trace(*, trace_id: str, kind: str, measured: Measured, look: Look, base_url: str) -> Published:
    """Draw a statistic of a trace, over it that of the fit if there is one."""
    name = facts.trace_of(trace_id=trace_id)["name"]
    statistics, fit = measured.statistics, measured.fit
    figure = traces.trace_figure(name, kind, statistics, fit, look)
    if figure is None:
        raise PlaygroundError(404, "not-found", gettext("There is no such figure"))
    source = Source(
        title=figure.layout.meta["title"],
        version=scheduler_core.__version__,
        digests=(),
        url=f"{base_url}/traces/{trace_id}",
        key=trace_id,
    )
    sentences = [gettext("n = {jobs} jobs, {tasks} tasks", jobs=statistics["jobs"], tasks=statistics["tasks"])]
    if fit is not None:
        sentences.append(
            gettext(
                "one draw of a synthetic workload fitted to the trace; jobs are long from {time} on",
                time=duration_words(measured.cutoff_s),
            )
        )
    return _published(figure, sentences, source)


def _refuse_outside(path: str, value: int, many: int, message: str) -> None:
    if not 0 <= value < many:
        raise _refused(path, message, gettext("{first} to {last}", first=0, last=many - 1))


def _refused(path: str, message: str, allowed: str) -> PlaygroundError:
    item = problem(path, message, allowed=allowed)
    return PlaygroundError(422, "invalid-request", gettext("This figure cannot be drawn"), (item,))
