"""Descriptions of the API's parameters: one sentence for each name, for the API's description.

A parameter that declares a description of its own keeps it.
"""

from __future__ import annotations

from typing import Any

_PATHS = {
    ("kind", "/parts/"): "The kind of the part.",
    ("number", "/parts/"): "The part's number, counted from 0.",
    ("number", "/students/"): "The student's number in the class.",
    ("number", "/questions/"): "The question's number in the class.",
    ("first", "/graphs/"): "The first row of the answer, counted from 0.",
    ("first", "/track"): "The first machine of the range.",
    ("first", "/network-races/"): "The first row of the answer, counted from 0.",
    ("name", "/schema/"): "The schema's name.",
    ("name", "/traces"): "The name under which the trace is listed.",
    ("from_s", "/track"): "The start of the interval, in simulated seconds.",
    ("until_s", "/track"): "The end of the interval, in simulated seconds.",
    ("other_id", "/paired/"): "The id of the run to pair with.",
    ("other_id", "/first-difference/"): "The id of the run to compare with.",
    ("task", "/messages"): "Only messages about this task.",
}
"""Names that mean something else in other addresses, with a part of the address."""

_NAMES = {
    "after_s": "Return only decisions later than this instant, in simulated seconds, earliest first.",
    "against": "The place of the scheduler to compare with, counted from 0 in the order of the study.",
    "also": "Parts of the summary, separated by commas: the answer also estimates all of their numbers.",
    "at_s": "The instant to ask about, in simulated seconds. The default is the end of the run.",
    "challenge": "The id of a challenge that the class has played. The default is the present one.",
    "projected": "Whether to leave out what the class's projector hides while the challenge is open.",
    "challenge_id": "The challenge's id.",
    "claim_id": "The claim's id, as in `python -m scheduler_core claims list`.",
    "class_id": "The class's id.",
    "count": "The largest number of entries in the answer.",
    "entry_id": "The entry's id.",
    "homework_id": "The homework's id, which is in its link.",
    "experiment_id": "The experiment's id.",
    "first": "The place of the first entry in the answer, counted from 0.",
    "from_s": "Return only messages from this instant on, in simulated seconds.",
    "import_id": "The import's id.",
    "lesson": "The lesson's name.",
    "machine": "Return only decisions about this machine.",
    "machines": "The number of machines in the range.",
    "made_of": "The id of the experiment that this one was made from by hand. An unknown id is ignored.",
    "metric": "The measured number, by its name in the table of metrics.",
    "module": "The module's name, as a run's start gives it.",
    "nearest": "Give the network of the nearest earlier round if that one is shipped and the round's is not.",
    "not_before_s": "The first round that begins at this instant or later, in simulated seconds.",
    "order": "`job` for the order of jobs, `difference` for the largest difference first.",
    "owner": "The owner (Global Master) of a partition, counted from 0.",
    "percent": "The percentile of all waits from which tasks are listed.",
    "race_id": "The race's id.",
    "reason": "Return only decisions for these reasons, by name. Repeat the parameter for several.",
    "round": "The round's number, counted from 1.",
    "run_id": "The run's id.",
    "scale": "`linear` for plain intervals, `drawn` for those of the figure, which a logarithmic axis changes.",
    "setup": "The name of one of the claim's experiments.",
    "statistic": "How the estimate of a cell and its interval are made from its runs (one for each seed).",
    "step": "The step's number, counted from 0.",
    "study_id": "The study's id.",
    "ask_id": "The question's id.",
    "table": "Which table to read.",
    "task": "The task's number, counted from 0.",
    "touchable": "Give a start to which a page may add failures of machines, with larger buffers.",
    "trace_id": "The trace's id.",
    "until_s": "Leave out what happened after this instant, in simulated seconds. The default is the end of the run.",
    "upload_id": "The upload's id.",
    "wait": "Wait for the end of the run for at most this number of seconds.",
}


def describe_parameters(path: str, operation: dict[str, Any]) -> None:
    """Give a description to each parameter of an operation that has none."""
    for parameter in operation.get("parameters", ()):
        own = parameter.get("description") or parameter["schema"].get("description")
        parameter["description"] = own or meaning_of(parameter["name"], path)


def meaning_of(name: str, path: str) -> str:
    """Return what a parameter means in an address; an empty text for an unknown name, which a test reports."""
    for (other, part), text in _PATHS.items():
        if other == name and part in path:
            return text
    return _NAMES.get(name, "")
