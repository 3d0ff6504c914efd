"""Simulate cluster schedulers from the research literature: fast, deterministic, without a web server.

    from scheduler_core import Experiment, simulate
    result = simulate(Experiment.from_file("megha.json"))
    result.summary["allocation_delay_s"]["p99"]

Names are imported when they are first used, so that checking an experiment does not load compiled code.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from scheduler_core import known, needs
from scheduler_core.version import __version__

if TYPE_CHECKING:
    from scheduler_core.api import explain, inspect, simulate, stream, warm
    from scheduler_core.ask import QUESTIONS
    from scheduler_core.ask.asking import ask_question, tried_experiment
    from scheduler_core.cluster import Cluster, build_cluster
    from scheduler_core.constraints.catalogue import constraint_catalogues
    from scheduler_core.constraints.preview import constraint_preview
    from scheduler_core.engine.compile_progress import Compiled, follow_compiling, leave_marks
    from scheduler_core.engine.compiled import NotCompiled, compile_while, only_compiled
    from scheduler_core.engine.giving_way import compile_for_people
    from scheduler_core.engine.jit import watch_compiling
    from scheduler_core.engine.wasm.packed import engine_modules
    from scheduler_core.errors import Cancelled, ExperimentError, OtherVersion, Problem, TraceError, UnknownName
    from scheduler_core.experiment import (
        Experiment,
        changed_rules,
        keep_rules,
        schema,
        unsupported,
        upgrade,
        with_todays_rules,
    )
    from scheduler_core.explanation import first_difference, message_log, part_messages, smallest_change
    from scheduler_core.explanation.flow import flow_pictures, flow_race, flow_way
    from scheduler_core.explanation.own_policy import policy_decision, policy_view
    from scheduler_core.explanation.policies import check_policy, policy_language
    from scheduler_core.explanation.policy_words import policy_words
    from scheduler_core.inventory.build.served import import_served, is_cluster_export, served_facts
    from scheduler_core.limits import DEFAULT_LIMITS, Limits
    from scheduler_core.metrics import METRICS
    from scheduler_core.recording import Frame, LayerChange, RecordingReader, copy_recording, merge
    from scheduler_core.recording.excerpt import excerpt
    from scheduler_core.recording.recorded_track import recorded_track
    from scheduler_core.recording.track import Window
    from scheduler_core.run.built import KeptBuilds
    from scheduler_core.run.code import library_digest, outcome_code, outcome_code_at_hand
    from scheduler_core.run.description import describe
    from scheduler_core.run.driver import Simulation
    from scheduler_core.run.foretold import growth_at_least
    from scheduler_core.run.moments import KeptMoments
    from scheduler_core.run.page_start import changed_start, page_start
    from scheduler_core.run.preview import run_preview
    from scheduler_core.run.results import RunResult
    from scheduler_core.run.saved import load_simulation, save_simulation
    from scheduler_core.run.start_file import StartFile, start_file
    from scheduler_core.run.view import RunView
    from scheduler_core.run.warm import compile_drawing, compile_workloads
    from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name
    from scheduler_core.schedulers.plugin.loading import Plugin, load_plugin, plugins
    from scheduler_core.studies.grid import Grid, expand
    from scheduler_core.studies.plan import StudyPlan
    from scheduler_core.studies.results import Findings, measured_numbers
    from scheduler_core.studies.running import measure_run, run_study
    from scheduler_core.studies.signatures import (
        figure_value,
        signature_cards,
        signature_experiment,
        signature_experiments,
    )
    from scheduler_core.studies.statistics import STATISTICS
    from scheduler_core.studies.table import study_table, write_study
    from scheduler_core.workload import TRACE_READERS, Workload, build_workload, read_trace, recognize_trace
    from scheduler_core.workload.presets import workload_presets
    from scheduler_core.workload.raw import Beside, RawWork
    from scheduler_core.workload.raw.columns import Columns, parse_columns
    from scheduler_core.workload.readers.columnar import write_trace
    from scheduler_core.workload.readers.cutting import Cut, cut_work, parse_cut
    from scheduler_core.workload.readers.guessing import first_rows
    from scheduler_core.workload.readers.watching import Reading, guard_reading, guarded, watched
    from scheduler_core.workload.statistics.fit import fit_workload
    from scheduler_core.workload.statistics.fitted import fit_trace
    from scheduler_core.workload.statistics.preview import workload_preview
    from scheduler_core.workload.statistics.traces import trace_statistics
    from scheduler_core.world.planned import first_outage
    from scheduler_core.world.spec import FAMILIES

needs.check_numba()
known.tell(lambda: cast(known.Registries, import_module("scheduler_core.run.registries")))

_HOMES = {
    "scheduler_core.api": ("explain", "inspect", "simulate", "stream", "warm"),
    "scheduler_core.ask": ("QUESTIONS",),
    "scheduler_core.ask.asking": ("ask_question", "tried_experiment"),
    "scheduler_core.cluster": ("Cluster", "build_cluster"),
    "scheduler_core.constraints.catalogue": ("constraint_catalogues",),
    "scheduler_core.constraints.preview": ("constraint_preview",),
    "scheduler_core.run.description": ("describe",),
    "scheduler_core.run.built": ("KeptBuilds",),
    "scheduler_core.engine.compile_progress": ("Compiled", "follow_compiling", "leave_marks"),
    "scheduler_core.engine.compiled": ("NotCompiled", "compile_while", "only_compiled"),
    "scheduler_core.run.code": ("library_digest", "outcome_code", "outcome_code_at_hand"),
    "scheduler_core.run.driver": ("Simulation",),
    "scheduler_core.run.view": ("RunView",),
    "scheduler_core.engine.giving_way": ("compile_for_people",),
    "scheduler_core.engine.jit": ("watch_compiling",),
    "scheduler_core.run.moments": ("KeptMoments",),
    "scheduler_core.engine.wasm.packed": ("engine_modules",),
    "scheduler_core.run.start_file": ("StartFile", "start_file"),
    "scheduler_core.run.page_start": ("changed_start", "page_start"),
    "scheduler_core.run.saved": ("load_simulation", "save_simulation"),
    "scheduler_core.errors": ("Cancelled", "ExperimentError", "OtherVersion", "Problem", "TraceError", "UnknownName"),
    "scheduler_core.experiment": (
        "Experiment",
        "changed_rules",
        "keep_rules",
        "schema",
        "unsupported",
        "upgrade",
        "with_todays_rules",
    ),
    "scheduler_core.explanation.policies": ("check_policy", "policy_language"),
    "scheduler_core.explanation.own_policy": ("policy_decision", "policy_view"),
    "scheduler_core.explanation.policy_words": ("policy_words",),
    "scheduler_core.explanation.flow": ("flow_pictures", "flow_race", "flow_way"),
    "scheduler_core.inventory.build.served": ("import_served", "is_cluster_export", "served_facts"),
    "scheduler_core.limits": ("DEFAULT_LIMITS", "Limits"),
    "scheduler_core.metrics": ("METRICS",),
    "scheduler_core.run.foretold": ("growth_at_least",),
    "scheduler_core.run.preview": ("run_preview",),
    "scheduler_core.recording": ("Frame", "LayerChange", "RecordingReader", "copy_recording", "merge"),
    "scheduler_core.recording.excerpt": ("excerpt",),
    "scheduler_core.recording.recorded_track": ("recorded_track",),
    "scheduler_core.recording.track": ("Window",),
    "scheduler_core.run.results": ("RunResult",),
    "scheduler_core.schedulers": ("SCHEDULERS", "scheduler_by_name"),
    "scheduler_core.schedulers.plugin.loading": ("Plugin", "load_plugin", "plugins"),
    "scheduler_core.world.planned": ("first_outage",),
    "scheduler_core.world.spec": ("FAMILIES",),
    "scheduler_core.studies.grid": ("Grid", "expand"),
    "scheduler_core.studies.plan": ("StudyPlan",),
    "scheduler_core.studies.results": ("Findings", "measured_numbers"),
    "scheduler_core.studies.running": ("measure_run", "run_study"),
    "scheduler_core.studies.signatures": (
        "figure_value",
        "signature_cards",
        "signature_experiment",
        "signature_experiments",
    ),
    "scheduler_core.studies.statistics": ("STATISTICS",),
    "scheduler_core.studies.table": ("study_table", "write_study"),
    "scheduler_core.explanation": ("first_difference", "message_log", "part_messages", "smallest_change"),
    "scheduler_core.workload": ("TRACE_READERS", "Workload", "build_workload", "read_trace", "recognize_trace"),
    "scheduler_core.workload.readers.columnar": ("write_trace",),
    "scheduler_core.workload.raw.columns": ("Columns", "parse_columns"),
    "scheduler_core.workload.readers.cutting": ("Cut", "cut_work", "parse_cut"),
    "scheduler_core.workload.statistics.fit": ("fit_workload",),
    "scheduler_core.workload.statistics.fitted": ("fit_trace",),
    "scheduler_core.workload.readers.guessing": ("first_rows",),
    "scheduler_core.workload.presets": ("workload_presets",),
    "scheduler_core.workload.statistics.preview": ("workload_preview",),
    "scheduler_core.workload.raw": ("Beside", "RawWork"),
    "scheduler_core.workload.statistics.traces": ("trace_statistics",),
    "scheduler_core.run.warm": ("compile_drawing", "compile_workloads"),
    "scheduler_core.workload.readers.watching": ("Reading", "guard_reading", "guarded", "watched"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "DEFAULT_LIMITS",
    "FAMILIES",
    "METRICS",
    "QUESTIONS",
    "SCHEDULERS",
    "STATISTICS",
    "TRACE_READERS",
    "Beside",
    "Cancelled",
    "Cluster",
    "Columns",
    "Compiled",
    "Cut",
    "Experiment",
    "ExperimentError",
    "Findings",
    "Frame",
    "Grid",
    "KeptBuilds",
    "KeptMoments",
    "LayerChange",
    "Limits",
    "NotCompiled",
    "OtherVersion",
    "Plugin",
    "Problem",
    "RawWork",
    "Reading",
    "RecordingReader",
    "RunResult",
    "RunView",
    "Simulation",
    "StartFile",
    "StudyPlan",
    "TraceError",
    "UnknownName",
    "Window",
    "Workload",
    "__version__",
    "ask_question",
    "build_cluster",
    "build_workload",
    "changed_rules",
    "changed_start",
    "check_policy",
    "compile_drawing",
    "compile_for_people",
    "compile_while",
    "compile_workloads",
    "constraint_catalogues",
    "constraint_preview",
    "copy_recording",
    "cut_work",
    "describe",
    "engine_modules",
    "excerpt",
    "expand",
    "explain",
    "figure_value",
    "first_difference",
    "first_outage",
    "first_rows",
    "fit_trace",
    "fit_workload",
    "flow_pictures",
    "flow_race",
    "flow_way",
    "follow_compiling",
    "growth_at_least",
    "guard_reading",
    "guarded",
    "import_served",
    "inspect",
    "is_cluster_export",
    "keep_rules",
    "leave_marks",
    "library_digest",
    "load_plugin",
    "load_simulation",
    "measure_run",
    "measured_numbers",
    "merge",
    "message_log",
    "only_compiled",
    "outcome_code",
    "outcome_code_at_hand",
    "page_start",
    "parse_columns",
    "parse_cut",
    "part_messages",
    "plugins",
    "policy_decision",
    "policy_language",
    "policy_view",
    "policy_words",
    "read_trace",
    "recognize_trace",
    "recorded_track",
    "run_preview",
    "run_study",
    "save_simulation",
    "scheduler_by_name",
    "schema",
    "served_facts",
    "signature_cards",
    "signature_experiment",
    "signature_experiments",
    "simulate",
    "smallest_change",
    "start_file",
    "stream",
    "study_table",
    "trace_statistics",
    "tried_experiment",
    "unsupported",
    "upgrade",
    "warm",
    "watch_compiling",
    "watched",
    "with_todays_rules",
    "workload_presets",
    "workload_preview",
    "write_study",
    "write_trace",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
