"""Word the explanation of a task in the reader's language: its English sentences are taken apart by templates.

The library explains in English. TEMPLATES lists its sentences and the parts of which they are made; places in braces
are parts by their kind, and `{n_1}` is of the same kind as `{n}`. A text with an unknown part stays English as a whole.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from playground.web.reasons import numbers
from playground.web.words import SOURCE, catalogue, language
from scheduler_core import SCHEDULERS

#: Texts by kind. `sentence` and `change` begin with a capital letter; all others are parts of them.
TEMPLATES: dict[str, tuple[str, ...]] = {
    "sentence": (
        # How a task stands (explanation.standing).
        "The task's job arrives at {time}.",
        "No machine of this datacenter is large enough for the task, even when empty.",
        "The task is dropped, and its job continues.",
        "The task has waited for {time}.",
        "The task has waited for {time} again.",
        "The task starts to wait.",
        "The task starts to wait again.",
        "1 machine of {n} would have room for the task now: {unused}.",
        "{n} machines of {n_1} would have room for the task now: {unused}.",
        "None of {machines} has room for the task now: {states}.",
        "A request for the task is on its way.",
        "The task runs on machine {n} from {time}.",
        "The task ran on machine {n} from {time} and ended at {time_1}.",
        "Before that, at {time}: {decision}",
        # Machines that are ruled out (explanation.ruled_out).
        "1 machine has room for it now.",
        "{n} machines have room for it now.",
        "Too small even when empty: {small}.",
        "1 machine does not offer all of its constraints; missing: {lacks}.",
        "{n} machines do not offer all of its constraints; missing: {lacks}.",
        "Out of service: {outs}.",
        "1 machine is busy{kept}.",
        "{n} machines are busy{kept}.",
        "1 machine is busy with tasks of {holders}{rest}.",
        "{n} machines are busy with tasks of {holders}{rest}.",
        # Probes of a job (explanation.probes).
        "It was {turn}. Worker {n} had {n_1} in front; the shortest probed queue had {n_2}.",
        "It was {turn}. Worker {n} asked for it after it had finished task {n_1}, which the same probe had fetched.",
        "It was {turn}; worker {n} was the first probed worker with room{others}.",
        "It was {turn}; 1 task had been given out when worker {n} had room and asked{others}.",
        "It was {turn}; {n} tasks had been given out when worker {n_1} had room and asked{others}.",
        "No probe has fetched it yet: {n} of its job's {n_1} probes wait or are in transit.",
        # Workers that a task was sent to (explanation.sendings).
        "Its scheduler has probed workers and waits for the last answers.",
        "Its scheduler has looked for room once and found only full queues, so it keeps the task.",
        "Its scheduler has looked for room {n} times and found only full queues, so it keeps the task.",
        "1 earlier search found only full queues.",
        "{n} earlier searches found only full queues.",
        "{workers} had sent it back before.",
        "{workers} had returned it before, because too many tasks waited there.",
        "It had run before and was stopped once.",
        "It had run before and was stopped more than once.",
        "A copy went to another worker; only the earlier of the two starts.",
        "That worker sent it back, so it waits at its scheduler.",
        "No worker was probed: its scheduler remembered worker {n}, which had reported room {time} earlier.",
        "Of {workers} probed, none had room. Meanwhile, its scheduler had heard of worker {n}, which had reported room "
        "{time} earlier.",
        "Of {workers} probed, worker {n} had the fewest in front, {n_1}.",
        "It was sent to worker {n}.",
        "Of {workers} compared, worker {n} had the lowest expected cost, after a wait of {time}; {n_1} had a shorter "
        "expected wait.",
        "Of {workers} compared, worker {n} had the shortest expected wait, {time}{next}.",
        # The smallest change that helps (explanation.smallest).
        "{change}, the task starts at {time}, {gain}.",
        "The only change tried does not start the task {earlier}{bound}.",
        "None of the {n} single changes tried starts the task {earlier}{bound}.",
        "Replaying the run takes longer than the time limit, so no change was tried.",
        # The path of a unit of flow (explanation.flow.ways).
        "No round had this task in its network.",
        "The task is not in the network of round {n}.",
        "Round {n} has no flow that keeps all bounds: nothing to compare.",
        "No unit of the task flows.",
        "In round {n}, the unit of {node} flows through {nodes}: cost {n_1}.",
        "On another machine, through {nodes}, the whole schedule would cost {n} more{moved}.",
        "On another machine, through {nodes}, the whole schedule would cost nothing more{moved}.",
        "By its next-best path, through {nodes}, the whole schedule would cost {n} more{moved}.",
        "By its next-best path, through {nodes}, the whole schedule would cost nothing more{moved}.",
        "It has no other path.",
    ),
    "change": (
        "If its job did not need {name}",
        "If the task did not need {name}",
        "With one machine more in {name} ({amounts})",
        "With {n} machines more in {name} ({amounts} each)",
        "Without the failure of {target} at {time}",
        "Without the drain of {target} at {time}",
        "Without the burst of {target} at {time}",
        "Without the change of {target} at {time}",
        "With a share of {n} % instead of {n_1} % for {target}",
        'With "{declared}" {value} instead of {value_1}',
    ),
    "unused": (
        *dict.fromkeys(spec.kin.unused for spec in SCHEDULERS),
        "the function choose gave no machine, or the task waits behind others",  # of a user's own file
    ),
    "machines": ("1 machine", "{n} machines"),
    "workers": ("1 worker", "{n} workers"),
    "tasks": ("1 task", "{n} tasks"),
    "state": ("{n} too small", "{n} without its constraints", "{n} out of service", "{n} busy"),
    "little": ("{machines} with less than {amount}",),
    "lack": ("{name} on {n}",),
    "out": ("{machines} failed", "{machines} being drained"),
    "kept": (", reserved for tasks in transit",),
    "rest": ("; {n} of them reserved for tasks in transit",),
    "holder": (
        "{n} more queues", "{n} more jobs", "job {n} ({tasks} on {machines})", "Queue {n} ({tasks} on {machines})",
        "queue {name} ({tasks} on {machines})",
    ),
    "amount": ("1 CPU", "{n} CPUs", "1 GPU", "{n} GPUs", "{n} GB of memory", "{n} GB", "{n} {name}"),
    "turn": (
        "number {n} of the {n_1} tasks for which its job sent {n_2} probes",
        "the only task for which its job sent {n} probes",
    ),
    "others": (", while 1 still waited in a queue", ", while {n} still waited in queues"),
    "next": (
        "; the next best had {time}",
        "; {n} had full queues, according to the last reports",
        "; the next best had {time}; {n} had full queues, according to the last reports",
    ),
    "gain": ("instead of never", "{time} earlier"),
    "earlier": ("earlier", "noticeably earlier: the largest gain is {time} of a wait of {time_1}"),
    "bound": ("; the time limit was reached", "; this is the limit"),
    "target": (
        "the Local Master of {name}", "Master {n}", "the scheduler", "machine {n}", "rack {n}", "Queue {n}",
        "queue {name}", "cluster {name}", "{name}",
    ),
    "value": ("on", "off", "{n} {declared}", "{declared}"),
    "node": (
        "task {n}", "job {n} waits", "cluster", "set {n}", "node {n}", "rack {n}", "machine {n}", "sink",
    ),
    "joint": (" and ",),
    "moved": (
        "; task {n} would make room", "; tasks {list} would make room", "; tasks {list} and others would make room",
    ),
}  # fmt: skip
#: Kinds that are lists: of which kind, and whether the last two are joined by "and".
_LISTS = {
    "states": ("state", False), "small": ("little", True), "lacks": ("lack", True), "outs": ("out", True),
    "holders": ("holder", True), "amounts": ("amount", False), "nodes": ("node", False), "list": ("n", False),
}  # fmt: skip
#: Kinds that may be absent.
_OPTIONAL = frozenset({"kept", "rest", "others", "next", "bound", "moved"})
_NUMBER = r"[-\u2212]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"
#: Kinds that are no templates. A decision is known by its English.
_PLAIN = {"n": _NUMBER, "time": _NUMBER + r" (?:s|ms|µs)", "name": r".+?", "declared": r".+?", "decision": r".+"}
_PLACE = re.compile(r"\{(\w+?)(?:_\d)?\}")
_MOST = 4_000
"""Longer texts stay English: a user's names in them would make the search long."""
_END = re.compile(r"(?<=[.:!?]) (?=[A-Z0-9])")


def told(text: str, decisions: Mapping[str, str] | None = None) -> str:
    """Return sentences of an explanation in the reader's language; `decisions` are translated sentences by English."""
    return text if language() == SOURCE else taken_apart(text, decisions or {}) or text


def taken_apart(text: str, decisions: Mapping[str, str]) -> str:
    """Return a text of known sentences, or the text of a change, in the reader's language; empty for any other."""
    if not 0 < len(text) <= _MOST:
        return ""
    return _sentences(text, decisions) or _part("change", text, {})


def explanation_told(answer: dict[str, Any], decisions: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the answer to /explain in the reader's language; `decisions` are its decisions, translated."""
    known = {
        one["sentence"]: other["sentence"]
        for one, other in zip(answer["decisions"], decisions, strict=True)
        if language() == SOURCE or one["sentence"] != other["sentence"]
    }
    groups = [group | {"sentence": told(group["sentence"])} for group in answer.get("ruled_out", [])]
    probes = answer.get("probes")
    more = {} if "answer" not in answer else {"answer": told(answer["answer"], known)}
    return {
        **answer,
        **more,
        "ruled_out": groups,
        "probes": probes and {**probes, "why": told(probes["why"])},
        "decisions": decisions,
    }


def change_told(look: dict[str, Any]) -> dict[str, Any]:
    """Return a search for the smallest change in the reader's language."""
    answer = look["answer"]
    if answer is None:
        return look
    helps = [one | {"text": told(one["text"]), "sentence": told(one["sentence"])} for one in answer["helps"]]
    return look | {"answer": answer | {"helps": helps, "sentence": told(answer["sentence"])}}


def way_told(look: dict[str, Any]) -> dict[str, Any]:
    """Return the path of a unit of flow in the reader's language."""
    answer = look["answer"]
    if answer is None or language() == SOURCE:
        return look
    named = {name: _way_named(answer.get(name)) for name in ("next", "elsewhere")}
    return look | {"answer": answer | named | {"path": _named(answer["path"]), "told": told(answer["told"])}}


def _way_named(way: dict[str, Any] | None) -> dict[str, Any] | None:
    return way and way | {name: _named(way[name]) for name in ("path", "walk") if name in way}


def _named(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ends = ("from_label", "to_label")
    return [step | {end: _part("node", step[end], {}) or step[end] for end in ends} for step in steps]


def _sentences(text: str, decisions: Mapping[str, str]) -> str:
    """Return some sentences in the reader's language, empty if one is unknown: the longest known begin comes first."""
    for cut in reversed([*(found.start() for found in _END.finditer(text)), len(text)]):
        first, rest = text[:cut], text[cut + 1 :]
        worded = decisions.get(first) or _part("sentence", first, decisions)
        if worded and not rest:
            return worded
        if worded and (others := _sentences(rest, decisions)):
            return f"{worded} {others}"
    return ""


def _part(kind: str, text: str, decisions: Mapping[str, str]) -> str:
    """Return a part in the reader's language; empty if it is unknown."""
    if kind in _PLAIN:
        return _plain(kind, text, decisions)
    if kind in _LISTS:
        return _list(*_LISTS[kind], text, decisions)
    texts = catalogue(language())
    for template in TEMPLATES[kind]:
        if (found := _pattern(template).fullmatch(text)) is None:
            continue
        places = found.groupdict()
        values = {place: text and _part(_kind(place), text, decisions) for place, text in places.items()}
        if all(values[place] or not text for place, text in places.items()):
            return (worded if isinstance(worded := texts.get(template), str) else template).format(**values)
    return ""


def _plain(kind: str, text: str, decisions: Mapping[str, str]) -> str:
    if kind == "decision":
        return decisions.get(text, "")
    if kind == "declared":
        found = catalogue(language()).get(text)
        return found if isinstance(found, str) else numbers(text) if re.fullmatch(_NUMBER, text) else text
    return text if kind == "name" else numbers(text)


def _list(kind: str, ends_in_and: bool, text: str, decisions: Mapping[str, str]) -> str:
    """Return a list of parts: the first part is the shortest known one after which the rest is a list, too."""
    for found in re.finditer(r", | and " if ends_in_and else ", ", text):
        first, rest = _part(kind, text[: found.start()], decisions), text[found.end() :]
        if first and (others := _list(kind, ends_in_and, rest, decisions)):
            joint = str(catalogue(language()).get(found[0], found[0]))
            return f"{first}{joint}{others}"
    return _part(kind, text, decisions)


def _kind(place: str) -> str:
    return re.sub(r"_\d$", "", place)


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of a template, whose groups are its places."""
    return re.compile(_regex(template, named=True))


def _regex(template: str, *, named: bool) -> str:
    found, last = "", 0
    for place in _PLACE.finditer(template):
        name = place[0][1:-1]
        within = _of_kind(_kind(name))
        found += re.escape(template[last : place.start()])
        found += f"(?P<{name}>{within})" if named else f"(?:{within})"
        last = place.end()
    return found + re.escape(template[last:])


@functools.cache
def _of_kind(kind: str) -> str:
    """Return the pattern of a kind, whose parts have no names."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _LISTS:
        each, ends_in_and = _LISTS[kind]
        return f"(?:{_of_kind(each)})(?:(?:{', | and ' if ends_in_and else ', '})(?:{_of_kind(each)}))*"
    within = "|".join(_regex(template, named=False) for template in TEMPLATES[kind])
    return f"(?:{within})?" if kind in _OPTIONAL else within
