"""Start, read, pause, resume, cancel and delete studies. Workers use `study_runs`."""

from __future__ import annotations

import dataclasses
import functools
import logging
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, cast

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Avg, Count, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

import scheduler_core
from playground.contract.sockets import StudyFailure, StudyProgress
from playground.contract.states import RunState as RunStateName
from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.experiments.service import Created, create_experiment
from playground.ground import links
from playground.ground.quotas import quota_of_key, refuse_full_disk, refuse_more
from playground.ground.simulator import (
    invalid_experiment,
    named_by_setting,
    parse_experiment,
    refuse_unsupported,
    stored_data,
    stored_experiment,
    web_limits,
)
from playground.ground.viewers import Viewer, hash_token
from playground.models import ClassQuestion, Experiment, RunState, Study, StudyRun
from playground.storage import turns, workers
from playground.studies import signals
from playground.studies.fitted import fitted_defaults
from playground.studies.idle import idle_words
from playground.web.setting_words import choice, parameter, value_and_unit
from playground.web.words import gettext
from scheduler_core import Experiment as CoreExperiment
from scheduler_core import ExperimentError, Grid, Limits, Problem, StudyPlan, expand
from scheduler_core.experiment.labels import label_of

logger = logging.getLogger(__name__)

STUDY_RUN_TASK = turns.STUDY_RUN_TASK
QUEUE = turns.STUDIES
UNFINISHED = (RunState.RUNNING, RunState.PAUSED)
#: Rows that wait or run.
OPEN_ROWS = (RunState.QUEUED, RunState.RUNNING)
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
_MOST_LISTED = 100
_AT_ONCE = 500


def start_study(*, experiment: Experiment, asked: dict[str, Any], viewer: Viewer, watched: str = "") -> Study:
    """Check every experiment of a study and queue its runs, which keep how `watched` grew. Raises PlaygroundError."""
    if not viewer.owns(experiment):
        raise not_yours("experiment")
    core = stored_experiment(experiment)
    grid = _expanded(core, asked)
    refuse_unsupported(parse_experiment(grid.experiment(grid.cells[0], grid.seeds[0])))
    _refuse_large(core, grid.runs)
    refuse_full_disk(0)
    with transaction.atomic():
        _refuse_too_many(experiment)
        return queue_study(experiment, grid, watched=watched)


def queue_study(experiment: Experiment, grid: Grid, hidden: dict[str, Any] | None = None, watched: str = "") -> Study:
    """Store a study with a row for each run, and send its runs once the transaction is committed."""
    study = Study.objects.create(
        experiment=experiment,
        plan=grid.plan.to_dict(),
        runs=grid.runs,
        core_version=scheduler_core.__version__,
        sent_at=timezone.now(),
        hidden=hidden,
        watched=watched,
    )
    StudyRun.objects.bulk_create(
        [StudyRun(study=study, number=number) for number in range(grid.runs)], batch_size=_AT_ONCE
    )
    transaction.on_commit(lambda: send_runs(study, range(grid.runs)))
    return study


def _expanded(core: CoreExperiment, asked: dict[str, Any]) -> Grid:
    limits = web_limits()
    try:
        return expand(core, StudyPlan.parse(asked, limits=limits), limits=limits)
    except ExperimentError as error:
        items = tuple(named_by_setting(item) for item in error.problems)
        raise PlaygroundError(422, "invalid-study", "The study cannot be run", items) from None


def limits_of_run(runs: int) -> Limits:
    """Return the limits of each run in a study of `runs` runs: together they may simulate as much as one study may."""
    whole = web_limits()
    each = max(1, settings.LIMIT_STUDY_TASKS // runs)
    return dataclasses.replace(whole, tasks=min(whole.tasks, each), jobs=min(whole.jobs, each))


def _refuse_large(core: CoreExperiment, runs: int) -> None:
    """Refuse a study that is known to be too large; drawn workloads are counted when they run."""
    try:
        CoreExperiment.parse(core.to_dict(), limits=limits_of_run(runs))
    except ExperimentError as error:
        raise too_large(error.problems, runs) from None


def too_large(problems: tuple[Problem, ...], runs: int) -> PlaygroundError:
    """Return the error of a study that is too large; it names the setting that the study's runs share."""
    if limits_of_run(runs).tasks == web_limits().tasks:
        return invalid_experiment(problems)
    shared = f"setting PLAYGROUND_LIMIT_STUDY_TASKS, shared by {runs:,} runs"
    said = [
        dataclasses.replace(item, allowed=re.sub(r"limit '(tasks|jobs)'", shared, item.allowed)) for item in problems
    ]
    return invalid_experiment(said)


def _refuse_too_many(experiment: Experiment) -> None:
    owner = Q(experiment__owner_token_hash=experiment.owner_token_hash)
    if experiment.owner_session:
        owner |= Q(experiment__owner_session=experiment.owner_session)
    unfinished, limit = Study.objects.filter(owner, state__in=UNFINISHED).count(), settings.LIMIT_STUDIES
    if unfinished >= limit:
        item = problem(
            "",
            f"{unfinished} of your studies are not over",
            allowed=f"at most {limit} (setting PLAYGROUND_LIMIT_STUDIES)",
            remedy="wait for one to end, or cancel one",
        )
        raise PlaygroundError(429, "too-many-studies", "Too many studies at once", (item,))
    # A class's answers have a bound of their own.
    answers = ClassQuestion.objects.filter(study__state__in=UNFINISHED).values("study")
    refuse_more(
        quota_of_key(experiment.counts_under),
        Study.objects.filter(
            experiment__counts_under=experiment.counts_under, state__in=UNFINISHED, hidden__isnull=True
        ).exclude(pk__in=answers),
        setting="LIMIT_STUDIES_PER_ADDRESS", what="studies at once", kind="too-many-studies",
        remedy="wait for one to end, or cancel one",
    )  # fmt: skip


def send_runs(study: Study, numbers: Iterable[int]) -> None:
    """Put runs on the queue as one group; a repeated message for a run does no harm."""
    Study.objects.filter(pk=study.pk).update(sent_at=timezone.now())
    # Not by `celery.group`, which subscribes to the answer of each task, wanted or not.
    told: dict[str, Any] = {"queue": QUEUE, "ignore_result": True, "group_id": study.public_id}
    try:
        with current_app.producer_or_acquire() as producer:
            for number in numbers:
                current_app.send_task(STUDY_RUN_TASK, args=[study.public_id, number], producer=producer, **told)
    except OperationalError:
        # The rows say that they wait; the workers queue them again when the broker is back.
        logger.warning("study %s waits for the broker to come back", study.public_id, exc_info=True)


def get_study(*, public_id: str) -> Study:
    """Return the study with an id. Raises PlaygroundError (404) if there is none that people may read."""
    query = _readable().filter(public_id=public_id)
    found = query.first() if _ID.fullmatch(public_id) else None
    if found is None:
        raise not_found("study")
    return found


def studies_of(*, experiment: Experiment) -> QuerySet[Study]:
    """Return the newest studies of an experiment, newest first."""
    return _readable().filter(experiment=experiment).order_by("-created_at")[:_MOST_LISTED]


def _readable() -> QuerySet[Study]:
    """Return the studies that people may read: entries' runs on hidden seeds are none of them."""
    return Study.objects.select_related("experiment").filter(experiment__deleted_at=None, hidden__isnull=True)


def list_studies(*, viewer: Viewer) -> list[Study]:
    """Return a viewer's studies, newest first."""
    owner = Q(pk__in=[])
    if viewer.session_key:
        owner |= Q(experiment__owner_session=viewer.session_key)
    if viewer.token:
        owner |= Q(experiment__owner_token_hash=hash_token(viewer.token))
    return list(_readable().filter(owner).order_by("-created_at", "-pk")[:_MOST_LISTED])


def grid_of(study: Study) -> Grid:
    """Return the grid of a study's runs; this process caches it."""
    return _grid(study.public_id)


# Neither an experiment nor a plan ever changes.
@functools.lru_cache(maxsize=8)
def _grid(study_id: str) -> Grid:
    study = Study.objects.select_related("experiment").get(public_id=study_id)
    plan = StudyPlan.parse(study.plan, limits=web_limits())
    return Grid(stored_data(study.experiment), plan, study.core_version)


def study_payload(*, study: Study, viewer: Viewer | None = None, base_url: str = "") -> dict[str, Any]:
    """Return a study's plan and progress as the API and the pages show them."""
    grid = grid_of(study)
    schedulers = [{**one, "label": label} for one, label in zip(grid.schedulers, grid.labels(), strict=True)]
    return {
        "id": study.public_id,
        "experiment_id": study.experiment.public_id,
        "name": grid.plan.name or study.experiment.name,
        "plan": _with_labels(study.plan, schedulers),
        "schedulers": schedulers,
        "fitted": _fitted(schedulers, study.plan),
        "seeds": list(grid.seeds),
        "mine": viewer is not None and viewer.owns(study.experiment),
        "url": links.study_url(study, base_url),
        "socket_url": links.study_socket_url(study, base_url),
        **study_progress(study=study),
    }


def _fitted(schedulers: list[dict[str, Any]], plan: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the defaults in use that suit one trace; a reader who does not know them may blame the schedulers."""
    varied = varied_paths(plan)
    return [
        {
            "parameter": parameter(one.path, [one.scheduler]),
            "value": one.value,
            "trace": one.trace,
            "schedulers": one.labels,
        }
        for one in fitted_defaults(schedulers, varied)
    ]


def varied_paths(plan: Mapping[str, Any]) -> set[str]:
    """Return the paths of a plan's parameters."""
    axes = plan.get("axes") or []
    return {str(part["path"]) for axis in axes for part in (axis, *(axis.get("along") or ()))}


def _with_labels(plan: dict[str, Any], schedulers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a plan whose axes have the labels of their fields, in the reader's language.

    An axis that changes nothing under some schedulers names them (`idle`), and the parameters that it needs (`needs`).
    """
    varied = varied_paths(plan)
    names = [str(one.get("name", "")) for one in schedulers]

    def labeled(one: Mapping[str, Any]) -> dict[str, Any]:
        along = {"along": [labeled(each) for each in one["along"]]} if one.get("along") else {}
        shown = [choice(one["path"], value, names) for value in one["values"]]
        words = {"shown": shown} if any(shown) else {}
        idle = idle_words(one["path"], schedulers, varied)
        return {**one, "label": gettext(label_of(one["path"], names)), **words, **along, **idle}

    return {**plan, "axes": [labeled(axis) for axis in plan.get("axes") or []]}


def study_progress(*, study: Study) -> StudyProgress:
    """Return a study's progress and its approximate end."""
    told = study.rows.aggregate(
        done=Count("pk", filter=Q(state=RunState.DONE)),
        failed=Count("pk", filter=Q(state=RunState.FAILED)),
        running=Count("pk", filter=Q(state=RunState.RUNNING)),
        mean_s=Avg("seconds", filter=Q(state=RunState.DONE)),
    )
    left = study.runs - told["done"] - told["failed"]
    eta_s = None
    if study.state == RunState.RUNNING and told["mean_s"] is not None:
        eta_s = round(told["mean_s"] * left / max(1, workers.processes_alive("runs")), 1)
    failure = study.rows.filter(state=RunState.FAILED).order_by("number").first() if told["failed"] else None
    return {
        "state": cast("RunStateName", study.state),
        "runs": study.runs,
        "done": told["done"],
        "failed": told["failed"],
        "running": told["running"],
        "compiling": study.state == RunState.RUNNING and signals.is_compiling(study.public_id),
        "progress": (told["done"] + told["failed"]) / study.runs,
        "eta_s": eta_s,
        "error": None if failure is None else _failure(failure),
    }


def _failure(row: StudyRun) -> StudyFailure:
    return {"code": row.error_code, "message": row.error_message, "run": row.number}


def pause_study(*, study: Study, viewer: Viewer) -> Study:
    """Start no more runs. A run under way ends, or waits again if it has far to go. Repeated calls change nothing."""
    _refuse_writing(study, viewer, "be paused", UNFINISHED)
    if Study.objects.filter(pk=study.pk, state=RunState.RUNNING).update(state=RunState.PAUSED):
        signals.ask_to_stop(study.public_id, "pause")
        signals.announce(study.public_id)
    study.refresh_from_db()
    return study


def resume_study(*, study: Study, viewer: Viewer) -> Study:
    """Continue with the waiting runs. Repeated calls change nothing."""
    _refuse_writing(study, viewer, "go on", UNFINISHED)
    signals.take_back_stop(study.public_id)
    if Study.objects.filter(pk=study.pk, state=RunState.PAUSED).update(state=RunState.RUNNING):
        waiting = study.rows.filter(state=RunState.QUEUED).values_list("number", flat=True)
        send_runs(study, list(waiting))
        signals.announce(study.public_id)
    study.refresh_from_db()
    return study


def cancel_study(*, study: Study, viewer: Viewer) -> Study:
    """Cancel a study at once and keep its results so far. A study that is over stays as it is."""
    if not viewer.owns(study.experiment):
        raise not_yours("study")
    _stop(study)
    study.refresh_from_db()
    return study


def stop_studies(studies: QuerySet[Study]) -> None:
    """Cancel studies that nobody can read any more."""
    for study in studies.filter(state__in=UNFINISHED):
        _stop(study)


def _stop(study: Study) -> None:
    cancelled = Study.objects.filter(pk=study.pk, state__in=UNFINISHED).update(
        state=RunState.CANCELLED, ended_at=timezone.now()
    )
    if cancelled:
        signals.ask_to_stop(study.public_id, "cancel")
        study.rows.filter(state__in=OPEN_ROWS).update(state=RunState.CANCELLED, claim="")
        signals.announce(study.public_id)


def delete_study(*, study: Study, viewer: Viewer) -> None:
    """Delete a study with all its results."""
    cancel_study(study=study, viewer=viewer)
    study.delete()


def remove_old_studies() -> None:
    """Delete studies beyond the maximum age, to make room."""
    oldest = timezone.now() - timedelta(days=settings.KEEP_STUDIES_DAYS)
    Study.objects.filter(created_at__lt=oldest, hidden__isnull=True).exclude(state__in=UNFINISHED).delete()


def fork_run(*, study: Study, number: Any, viewer: Viewer) -> Created:
    """Create an experiment from one run of a study, with the run's values, scheduler and seed."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < study.runs:
        item = problem("run", "is not a run of this study", allowed=f"a whole number from 0 to {study.runs - 1}")
        raise PlaygroundError(422, "invalid-request", "The run cannot be opened", (item,))
    grid = grid_of(study)
    cell, seed = grid.run(number)
    data = grid.experiment(cell, seed)
    values = [f"{parameter(path)} {value_and_unit(path, value)}" for _, path, value in grid.changes_of(cell)]
    told = ", ".join([grid.labels()[cell.scheduler], *values, gettext("seed {seed}", seed=str(seed))])
    data["name"] = f"{study.experiment.name}: {told}"[:64] if study.experiment.name else told[:64]
    return create_experiment(data=data, viewer=viewer, forked_from=study.experiment)


def _refuse_writing(study: Study, viewer: Viewer, what: str, states: tuple[RunState, ...]) -> None:
    if not viewer.owns(study.experiment):
        raise not_yours("study")
    if study.state not in states:
        item = problem("", f"the study is {study.state}, it cannot {what}", allowed="a study that is not over")
        raise PlaygroundError(409, "study-over", "The study is over", (item,))
