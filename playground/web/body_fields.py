"""Descriptions of request body fields by the end of the operation's address, for the API's description.

A field that declares a description of its own keeps it.
"""

from __future__ import annotations

from typing import Any

_ENTRY = {
    "author": "The name on the board.",
    "note": "A note beside the entry.",
    "may_fork": "Whether others may copy the entry.",
}
_LESSON = {"name": "The name of a lesson of the product.", "file": "The text of a lesson file (YAML)."}
_END = "When the homework ends: a time in the future with its zone, such as 2027-01-31T18:00:00Z."
_SHOWN = {"experiment": "The id of the experiment to show.", "gallery": "The name of the gallery's question to show."}
_CUTOFF = {"cutoff_s": "A job whose mean task duration is at least this number of seconds counts as long."}

_FIELDS: dict[str, dict[str, str]] = {
    "/experiments/{experiment_id}/fork": {
        "at_s": "The instant from which the events apply, in simulated seconds.",
        "events": "Events to add from `at_s` on, as in the experiment file.",
        "scheduler": "The scheduler of the copy, as in the experiment file.",
        "name": "The name of the copy.",
        "question": "The question of the copy.",
        "seed": "The seed of the copy.",
    },
    "/experiments/{experiment_id}/runs": {
        "seed": "The seed of the run. The default is the experiment's.",
        "fresh": "Compute the run even if its result is known.",
    },
    "/experiments/{experiment_id}/studies": {
        "name": "The name of the study.",
        "axes": "Up to two parameters: the path of each, its values, and the parameters that move along with it.",
        "schedulers": "Up to eight schedulers. The default is the experiment's.",
        "repeats": "The number of seeds for each cell.",
    },
    "/studies/{study_id}/fork": {"run": "The number of the run in the study, counted from 0."},
    "/traces": {"file": "The trace's file."},
    "/traces/imports": {
        "upload": "The id of the upload to import.",
        "trace": "The id of a trace, to import a part of it instead of an upload.",
        "name": "The name of the new trace.",
        "format": "The format's name. By default the server recognizes the format from the content.",
        "constraints": "The id of an upload with the trace's constraints.",
        "machine_attributes": "The id of an upload with the attributes of the trace's machines.",
    },
    "/traces/{trace_id}/fit": _CUTOFF,
    "/workload-previews": _CUTOFF,
    "/classes": _SHOWN,
    "/classes/join": {
        "code": "The class's code.",
        "name": "Your name in the class. Without one, the server draws a name.",
    },
    "/classes/{class_id}": {
        "mode": "What the class does.",
        "locked": "Whether the class is closed to new students.",
        "anonymous": "Whether names are hidden from the class.",
        "challenge": "The id of the challenge that the class plays.",
        **_SHOWN,
    },
    "/students/{number}": {"name": "The student's new name."},
    "/questions": {
        "kind": "What students answer: an option, a number, a curve, or a machine or task on the map.",
        "text": "The question.",
        "metric": "The measured number, by its name in the table of metrics.",
        "best": "Which option of a choice is right: the one with the least or with the most of the metric.",
        "schedulers": "The options of a choice: schedulers by name.",
        "path": "The parameter that varies, by its path in the experiment.",
        "values": "The values of that parameter: the options of a choice, or the places of a curve.",
        "repeats": "The number of seeds for each value.",
        "low": "The low end of the scale.",
        "high": "The high end of the scale.",
        "log": "Whether the scale is logarithmic.",
        "target": "Whether students point at a machine or at a task.",
        "reason": "The reason of the decision that students point at, such as `preempted`.",
        "after_s": "The decision is the first one after this instant, in simulated seconds.",
    },
    "/answer": {
        "value": "The option's number, the number, the numbers of the curve, or the machine's or task's number."
    },
    "/explore": {
        "parameters": "Up to six parameters with their bounds or choices.",
        "x": "The horizontal axis. The default is the first parameter.",
        "y": "The vertical axis.",
    },
    "/wall/open": {"number": "The student's number in the class; 0 shows the wall."},
    "/classes/{class_id}/fork": {"values": "Values of the open parameters, by their paths."},
    "/fork/computed": {
        "values": "Values of the open parameters, by their paths.",
        "start": "The digest of the class's packed start, from which the device simulated.",
        "digest": "The digest of the outcome, sha256.",
        "figures": "A number or null for each measure, by the measure's name.",
    },
    "/entries": _ENTRY,
    "/lessons/read": _LESSON,
    "/lessons/write": {"lesson": "The lesson as data."},
    "/classes/{class_id}/lesson": _LESSON,
    "/homework": _LESSON
    | {"ends_at": _END, "at_once": "Whether each result is shown after the own answer, final then."},
    "/homework/{homework_id}": {"ends_at": _END},
    "/homework/{homework_id}/join": {"name": "Your name in the homework. Without one, the server draws a name."},
    "/challenges": {
        "title": "The challenge's title.",
        "question": "The challenge in one question.",
        "story": "What the challenge is about.",
        "limits": "Up to four limits that an entry must keep.",
        "seeds": "The number of hidden seeds.",
        "closes_at": "When the challenge closes: a time in the future with its zone, such as 2027-01-31T12:00:00Z.",
    },
}


def describe_fields(path: str, operation: dict[str, Any]) -> None:
    """Give a description to each field of an operation's body that has none."""
    # The longest end of the address wins: `/experiments/{experiment_id}/fork` has other fields than a class's fork.
    ends = sorted((end for end in _FIELDS if path.endswith(end)), key=len)
    meanings = _FIELDS[ends[-1]] if ends else {}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        fields = content["schema"].get("properties")
        if fields:
            # A new object: the operations' declarations share theirs.
            told = {
                name: {"description": meanings[name], **field} if name in meanings else field
                for name, field in fields.items()
            }
            content["schema"] = content["schema"] | {"properties": told}
