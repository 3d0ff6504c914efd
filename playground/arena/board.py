"""The public view of a challenge: its texts, the parts that an entry may change, and the board, without any seed."""

from __future__ import annotations

import functools
from typing import Any

from django.db.models import Q

from playground.arena.challenges import spec_of
from playground.arena.declared import Bounds, Offer
from playground.arena.parts import difference, offers_of, start_of
from playground.arena.physics import is_physics
from playground.arena.ranking import Held, Outcome, Row, ranked
from playground.ground.simulator import scheduler_label, stored_data
from playground.ground.viewers import Viewer
from playground.models import Challenge, ChallengeEntry, ChallengeState, EntryRole, Experiment, RunState, Study
from playground.studies.service import UNFINISHED
from playground.web.setting_words import parameter, value_and_unit
from playground.web.words import gettext, translated
from scheduler_core import scheduler_by_name


def challenge_card(*, challenge: Challenge, viewer: Viewer, base_url: str = "") -> dict[str, Any]:
    """Return a challenge in words."""
    spec = spec_of(challenge)
    return {
        "id": challenge.name or challenge.public_id,
        "url": f"{base_url}/arena/{challenge.name or challenge.public_id}",
        "title": gettext(spec.title),
        "question": gettext(spec.question),
        "story": gettext(spec.story),
        "shipped": bool(challenge.name),
        "mine": viewer.owns(challenge),
        "state": challenge.state,
        "closes_at": None if challenge.closes_at is None else challenge.closes_at.isoformat(),
        "seeds": spec.seeds,
        "objective": translated(spec.objective.model_dump(mode="json")),
        "limits": [translated(limit.model_dump(mode="json")) for limit in spec.limits],
        "entries": challenge.entries.filter(board="", role=EntryRole.ENTRY).count(),
    }


def challenge_payload(*, challenge: Challenge, viewer: Viewer, base_url: str = "") -> dict[str, Any]:
    """Return a challenge in words and as what a form needs."""
    spec = spec_of(challenge)
    baseline = challenge.entries.select_related("experiment").get(role=EntryRole.BASELINE)
    base = stored_data(baseline.experiment)
    return {
        **challenge_card(challenge=challenge, viewer=viewer, base_url=base_url),
        "public_seed": base["seed"],
        "experiment": base,
        "baseline": baseline.public_id,
        "baseline_experiment": baseline.experiment.public_id,
        "schedulers": [_offer(offer, base) for offer in offers_of(spec, base).values()],
        "values": [_value(one, base) for one in spec.change.values],
    }


def _offer(offer: Offer, base: dict[str, Any]) -> dict[str, Any]:
    spec, params = scheduler_by_name(offer.name), start_of(base, offer)["scheduler"]["params"]
    names = [name for name in (params if offer.open == "any" else offer.open) if not is_physics(name)]
    known = spec.params.model_json_schema()["properties"]
    return {
        "name": offer.name,
        "label": spec.label,
        "params": params,
        "open": [
            _parameter(key, known.get(key, {}), None if offer.open == "any" else offer.open[key], params.get(key))
            for key in names
        ],
    }


def _parameter(key: str, known: dict[str, Any], bounds: Bounds | None, start: Any) -> dict[str, Any]:
    own = bounds or Bounds()
    # A parameter that may be missing has its bounds in the part that is not null.
    filled = next((one for one in known.get("anyOf", ()) if one.get("type") != "null"), known)
    choices = list(own.choices) or known.get("enum") or []
    if not choices and filled is not known and filled.get("type") == "boolean":
        choices = [None, True, False]
    return {
        "path": key,
        "label": known.get("title", key),
        "help": known.get("description", ""),
        "unit": known.get("unit", ""),
        "least": own.least if own.least is not None else filled.get("minimum"),
        "most": own.most if own.most is not None else filled.get("maximum"),
        "choices": choices,
        "choice_labels": [_words(known, choice) for choice in choices],
        "start": start,
    }


def _words(known: dict[str, Any], choice: Any) -> str:
    """Return what people call a choice of a parameter: its declared label, or the choice itself."""
    if choice is None or isinstance(choice, bool):
        return {None: gettext("not set"), True: gettext("on"), False: gettext("off")}[choice]
    return str(known.get("options", {}).get(str(choice), {}).get("label", choice))


def _value(one: Any, base: dict[str, Any]) -> dict[str, Any]:
    here: Any = base
    for step in one.path.replace("[", ".[").split("."):
        here = here[int(step[1:-1])] if step.startswith("[") else here.get(step)
    label = gettext(one.says) if one.says else one.path
    return {
        "path": one.path, "label": label, "help": "", "unit": one.unit, "least": one.least,
        "most": one.most, "choices": list(one.choices),
        "choice_labels": [str(choice) for choice in one.choices], "start": here,
    }  # fmt: skip


def is_hidden(entry: ChallengeEntry, viewer: Viewer) -> bool:
    """Return whether what an entry changes is hidden: while the challenge is open, from all but author and maker."""
    challenge = entry.challenge
    if challenge.state == ChallengeState.CLOSED or entry.role == EntryRole.BASELINE:
        return False
    return not viewer.owns(entry) and not viewer.owns(challenge)


def board_payload(
    *, challenge: Challenge, viewer: Viewer, board: str = "", sees_entries: bool = False
) -> dict[str, Any]:
    """Return a board: its rows from the best to the last. `final`: by the seeds that were drawn at the end.

    `sees_entries`: the viewer leads the class whose board it is.
    """
    spec = spec_of(challenge)
    final = challenge.state == ChallengeState.CLOSED
    shown = Q(board=board) | ~Q(role=EntryRole.ENTRY)
    rows = challenge.entries.filter(shown).select_related("experiment", "study", "final").order_by("created_at", "pk")
    entries = {entry.pk: entry for entry in rows}
    outcomes = {key: _outcome(entry.final if final else entry.study, spec.seeds) for key, entry in entries.items()}
    baseline = next((key for key, entry in entries.items() if entry.role == EntryRole.BASELINE), None)
    assert baseline is not None
    base = entries[baseline].experiment
    found = ranked(spec, outcomes, baseline)
    sees_all = final or viewer.owns(challenge) or sees_entries
    return {
        "challenge": challenge.name or challenge.public_id,
        "state": challenge.state,
        "final": final,
        "running": any(not row.outcome.is_over for row in found),
        "rows": [_row(row, entries[row.key], base, viewer, sees_all=sees_all) for row in found],
    }


def entry_payload(*, entry: ChallengeEntry, viewer: Viewer) -> dict[str, Any]:
    """Return one entry's row as its board has it."""
    told = board_payload(challenge=entry.challenge, viewer=viewer, board=entry.board)
    row: dict[str, Any] = next(one for one in told["rows"] if one["id"] == entry.public_id)
    return row


def _outcome(study: Study | None, seeds: int) -> Outcome:
    if study is None:
        return Outcome(seeds, {})
    return _finished(study.public_id) if study.state not in UNFINISHED else _read(study)


@functools.lru_cache(maxsize=2_000)
def _finished(study: str) -> Outcome:
    # What a study that is over has found never changes.
    return _read(Study.objects.get(public_id=study))


def _read(study: Study) -> Outcome:
    figures, unfinished, failed, failure = {}, 0, 0, ""
    for row in study.rows.order_by("number"):
        if row.state == RunState.DONE and row.summary is not None:
            figures[row.number] = row.summary["figures"]
            unfinished += row.summary["tasks"]["completed"] < row.summary["tasks"]["total"]
        elif row.state in (RunState.FAILED, RunState.CANCELLED):
            failed += 1
            failure = failure or row.error_message or "The run was cancelled."
    return Outcome(study.runs, figures, unfinished, failure, failed)


def _row(row: Row, entry: ChallengeEntry, base: Experiment, viewer: Viewer, *, sees_all: bool) -> dict[str, Any]:
    scheduler, changes = _changes(base.public_id, entry.experiment.public_id)
    hidden = not sees_all and is_hidden(entry, viewer)
    leader, baseline = row.against_leader, row.against_baseline
    return {
        "id": entry.public_id,
        "role": entry.role,
        "author": entry.author,
        "note": "" if hidden else gettext(entry.note) if entry.role == EntryRole.REFERENCE else entry.note,
        "mine": viewer.owns(entry),
        "hidden": hidden,
        "may_fork": entry.may_fork and not hidden,
        "experiment_id": "" if hidden else entry.experiment.public_id,
        "scheduler": "" if hidden else scheduler,
        "changes": [] if hidden else [_named(change, base, entry.experiment) for change in changes],
        "created_at": entry.created_at.isoformat(),
        "state": _state(row, entry),
        "runs": row.outcome.runs,
        "done": row.outcome.done + row.outcome.failed,
        "place": row.place,
        "out": row.out,
        "reason": row.outcome.failure if row.out == "failed" else "",
        "unfinished_runs": row.outcome.unfinished,
        "estimate": None if row.estimate is None else row.estimate.to_dict(),
        "limits": [_limit(held) for held in row.limits],
        "against_leader": None if leader is None else leader.to_dict(),
        "against_baseline": None if baseline is None else baseline.to_dict(),
    }


@functools.lru_cache(maxsize=2_000)
def _changes(base: str, own: str) -> tuple[str, list[dict[str, Any]]]:
    """Return an entry's scheduler, and where it differs from the baseline: neither experiment ever changes."""
    data = stored_data(Experiment.objects.get(public_id=own))
    return scheduler_label(data), difference(stored_data(Experiment.objects.get(public_id=base)), data)


def _named(change: dict[str, Any], *experiments: Experiment) -> dict[str, Any]:
    """Return a change with its field and both values as people call them."""
    path, names = change["path"], [one.data["scheduler"]["name"] for one in reversed(experiments)]
    if path == "scheduler.name":
        label, said = gettext("Scheduler"), [scheduler_by_name(change[at]).label for at in ("before", "after")]
    else:
        label = parameter(path, names)
        said = [value_and_unit(path, change[at], names) for at in ("before", "after")]
    return {**change, "label": label, "before_words": said[0], "after_words": said[1]}


def _state(row: Row, entry: ChallengeEntry) -> str:
    if row.outcome.is_over:
        return "out" if row.out else "ranked"
    return "waiting" if entry.study is None else "running"


def _limit(held: Held) -> dict[str, Any]:
    says = gettext(held.limit.says)
    return {"says": says, "unit": held.limit.unit, "at_least": held.limit.at_least,
            "at_most": held.limit.at_most, "value": held.value, "holds": held.holds}  # fmt: skip
