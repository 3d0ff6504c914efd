from __future__ import annotations

import io
import json
from http import HTTPStatus
from typing import Annotated, Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Query, Router
from pydantic import Field, Json

from playground.errors import PlaygroundError
from playground.models import UNFINISHED_STATES
from playground.questions.asking import Told
from playground.runs import pausing
from playground.runs import service as runs
from playground.runs.live import store
from playground.runs.results import decisions, files, graphs, notebooks, pairing, recorded, run_page, starts, tracks
from playground.runs.schemas import DecisionsOut, GraphRowsOut, MomentsOut, PairsOut, RecordedStartsOut, RunOut
from playground.web.access import base_url, read_body, viewer_of
from playground.web.described import file_answer
from playground.web.downloads import download, stream
from scheduler_core.contract import HttpProblem

router = Router(tags=["runs"])
_First = Annotated[int, Field(ge=0, le=10**9)]
_Count = Annotated[int, Field(ge=1, le=graphs.MOST_ROWS)]
_Instant = Annotated[float | None, Field(ge=0, le=10**9, allow_inf_nan=False)]
_Machine = Annotated[int | None, Field(ge=0, le=10**9)]
_Reasons = Annotated[list[str], Query(default_factory=list, max_length=64)]
_Last = Annotated[int, Field(ge=1, le=decisions.MOST_ROWS)]
_Settings = Annotated[
    Json[Annotated[dict[str, list[bool | int | float | str | None]], Field(max_length=8)]] | None,
    Query(
        max_length=4_000,
        description="The values that a reader of the file may choose, as a JSON object by the path of each setting.",
    ),
]
_Events = Annotated[
    Json[Annotated[list[dict[str, Any]], Field(max_length=16)]] | None,
    Query(
        max_length=4_000,
        description="Events that the run does not have, as a JSON array in the format of an experiment's `events`.",
    ),
]
_Changes = Annotated[
    Json[Annotated[dict[str, Any], Field(max_length=64)]] | None,
    Query(
        max_length=4_000,
        description="Other values of the run's experiment, as a JSON object by the path of each.",
    ),
]
_Full = Annotated[
    Json[Annotated[list[Annotated[int, Field(ge=4, le=6)]], Field(max_length=16)]] | None,
    Query(
        max_length=100,
        description="The reasons of the event loop for which an earlier start with these changes was too small.",
    ),
]
_PARQUET = "application/vnd.apache.parquet"
_MSGPACK = "application/msgpack"
_NOTEBOOK = "application/x-ipynb+json"
_ERRORS = dict.fromkeys((403, 404, 409, 410, 413, 415, 422, 429, 503), HttpProblem)


@router.get("/runs/{run_id}", response={200: RunOut, 404: HttpProblem})
def read(request: HttpRequest, run_id: str) -> Any:
    """Give a run's state and progress."""
    run = runs.get_run(public_id=run_id)
    if run.state in UNFINISHED_STATES:
        store.want(run_id)
    return runs.run_payload(run=run, base_url=base_url(request))


@router.get("/runs/{run_id}/summary", response={200: dict[str, Any], **_ERRORS})
def summary(request: HttpRequest, run_id: str) -> Any:
    """Give the exact summary of a finished run."""
    return files.summary_of(run=runs.get_run(public_id=run_id))


@router.get("/runs/{run_id}/meta", response={200: dict[str, Any], **_ERRORS})
def meta(request: HttpRequest, run_id: str) -> Any:
    """Give what a viewer needs before any frame: machines, clusters, layers, marks and series."""
    return files.meta_of(run=runs.get_run(public_id=run_id))


@router.get("/runs/{run_id}/tasks.parquet", response=_ERRORS, openapi_extra=file_answer(_PARQUET))
def tasks_parquet(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Give one row for each task, as Parquet."""
    run = runs.get_run(public_id=run_id)
    file, name = files.open_tasks_table(run=run), files.file_name(run=run, what="tasks.parquet")
    return download(request, file, name=name, content_type=_PARQUET)


@router.get("/runs/{run_id}/tasks.csv", response=_ERRORS, openapi_extra=file_answer("text/csv"))
def tasks_csv(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Give one row for each task, as CSV."""
    run = runs.get_run(public_id=run_id)
    name = files.file_name(run=run, what="tasks.csv")
    return stream(request, files.tasks_as_csv(run=run), name=name, content_type="text/csv; charset=utf-8")


@router.get("/runs/{run_id}/recorded-starts", response={200: RecordedStartsOut, **_ERRORS})
def recorded_starts(
    request: HttpRequest, run_id: str, order: recorded.Order = "job", first: _First = 0, count: _Count = 1000
) -> Any:
    """Give the start of each job beside its recorded start, for a run of an imported cluster with recorded starts.

    Jobs come in their order, or by the size of the difference, the largest first.
    """
    return recorded.recorded_starts(run=runs.get_run(public_id=run_id), order=order, first=first, count=count)


@router.get("/runs/{run_id}/starts.parquet", response=_ERRORS, openapi_extra=file_answer(_PARQUET))
def starts_parquet(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Give one row for each job with a recorded start, as Parquet: the file that `run --out` writes."""
    run = runs.get_run(public_id=run_id)
    file, name = io.BytesIO(recorded.starts_parquet(run=run)), files.file_name(run=run, what="starts.parquet")
    return download(request, file, name=name, content_type=_PARQUET)


@router.get("/runs/{run_id}/starts.csv", response=_ERRORS, openapi_extra=file_answer("text/csv"))
def starts_csv(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Give one row for each job with a recorded start, as CSV. `shift_ns` is the start minus the recorded one."""
    run = runs.get_run(public_id=run_id)
    file, name = io.BytesIO(recorded.starts_csv(run=run)), files.file_name(run=run, what="starts.csv")
    return download(request, file, name=name, content_type="text/csv; charset=utf-8")


@router.get("/runs/{run_id}/notebook.ipynb", response=_ERRORS, openapi_extra=file_answer(_NOTEBOOK))
def notebook(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Give a Jupyter notebook that repeats the run with the library alone."""
    run = runs.get_run(public_id=run_id)
    response = HttpResponse(json.dumps(notebooks.notebook_of(run=run), indent=1), content_type=_NOTEBOOK)
    response["Content-Disposition"] = f'attachment; filename="{files.file_name(run=run, what="run.ipynb")}"'
    return response


@router.get("/runs/{run_id}/recording", response=_ERRORS, openapi_extra=file_answer("application/zip"))
def recording(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Give all frames of a finished run and its decision log as one ZIP file, or a part of the file (`Range`)."""
    run = runs.get_run(public_id=run_id)
    file, name = files.open_recording(run=run), files.file_name(run=run, what="recording.zip")
    return download(request, file, name=name, content_type="application/zip")


@router.get("/runs/{run_id}/page.html", response=_ERRORS, openapi_extra=file_answer("text/html"))
async def page(request: HttpRequest, run_id: str, settings: _Settings = None) -> HttpResponseBase:
    """Give a finished run as one HTML file that plays and simulates it from a disk, without a server; at most 8 MB.

    In the file, machines can be made to fail. `settings` is a JSON object with what else a reader may change: the
    values of each setting by its path, such as `{"scheduler.params.heartbeat_s": [1, 10, 60]}`. The file has the start
    of each combination of these values and the run's own; the status is 422 for more than 32.
    """

    def ask() -> Told:
        return starts.ask_for_page(run=runs.get_run(public_id=run_id), chosen=settings or {})

    parts = await starts.parts_for_page(await sync_to_async(ask)())

    def write() -> HttpResponse:
        run = runs.get_run(public_id=run_id)
        address = f"{base_url(request)}/e/{run.experiment.slug}"
        made = run_page.page_of(run=run, request=request, address=address, parts=parts)
        response = HttpResponse(made, content_type="text/html")
        response["Content-Disposition"] = f'attachment; filename="{files.file_name(run=run, what="run.html")}"'
        return response

    return await sync_to_async(write)()


@router.get("/runs/{run_id}/start", response={304: None, **_ERRORS}, openapi_extra=file_answer("application/gzip"))
async def start(
    request: HttpRequest,
    run_id: str,
    touchable: bool = False,
    events: _Events = None,
    changes: _Changes = None,
    full: _Full = None,
) -> HttpResponse:
    """Give the packed start of a finished run, from which a page runs the event loop's module by itself.

    The first part of the file is a header in JSON. It names the module (`GET /engine/{module}`), says how the arrays
    lie in memory, and has the digest of the outcome. The status is 422 where a page cannot simulate the run. With
    `touchable`, the start has larger buffers and a table of incidents, and a page may add failures of machines.
    With `events`, it is the start of the run with these events more, such as a burst; nothing is stored.
    With `changes`, it is the touchable start of the run's experiment with other values, such as
    `{"workload.arrivals.offered_load": 0.9}`. The server does not simulate it, so it has no digest, and a page may find
    an array full. It then asks again, with the reason of the event loop (4 to 6) added to `full`.
    """
    wanted = starts.Wanted(touchable or bool(changes), events or (), changes or {}, full or ())

    def ask() -> tuple[str, Told | None]:
        run = runs.get_run(public_id=run_id)
        tag = starts.tag_of(run, wanted)
        known = request.headers.get("If-None-Match") == tag
        return tag, None if known else starts.ask_for_start(run=run, wanted=wanted)

    tag, told = await sync_to_async(ask)()
    if told is None:
        response = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
    else:
        response = HttpResponse(await starts.wait_for_start(told), content_type="application/gzip")
    response["ETag"], response["Cache-Control"] = tag, "private, no-cache"
    return response


@router.get("/engine/{module}", response=_ERRORS, openapi_extra=file_answer("application/wasm"))
def engine_module(request: HttpRequest, module: str) -> HttpResponse:
    """Give the WebAssembly module of an event loop. Its name has a digest of its sources, so it never changes."""
    response = HttpResponse(starts.module_named(module), content_type="application/wasm")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@router.get("/runs/{run_id}/graphs/{table}", response={200: GraphRowsOut, **_ERRORS})
def graph_rows(
    request: HttpRequest,
    run_id: str,
    table: graphs.GraphTable,
    first: _First = 0,
    count: _Count = 1000,
) -> Any:
    """Give rows about a finished run's graphs: its jobs, their stages, or where and when each task ran."""
    return graphs.graph_rows(run=runs.get_run(public_id=run_id), table=table, first=first, count=count)


@router.get("/runs/{run_id}/paired/{other_id}", response={200: PairsOut, **_ERRORS})
def paired(request: HttpRequest, run_id: str, other_id: str) -> Any:
    """Pair the jobs of two finished runs of the same workload, with each job's completion time in both runs.

    A factor is the other run's time divided by this run's. `job`, `mine_s` and `other_s` list at most 4,000 jobs;
    the figures count all jobs.
    """
    return pairing.pairs_of(run=runs.get_run(public_id=run_id), other=runs.get_run(public_id=other_id))


@router.get("/runs/{run_id}/decisions", response={200: DecisionsOut, **_ERRORS})
async def last_decisions(
    request: HttpRequest,
    run_id: str,
    reason: _Reasons,
    until_s: _Instant = None,
    after_s: _Instant = None,
    count: _Last = 20,
    machine: _Machine = None,
) -> Any:
    """Give the last decisions of a run up to an instant, latest first, for all reasons or for the named ones.

    During a run, the answer has the decisions known so far; 409 if the run's worker does not answer at once.

    With `after_s` it has the first decisions after that instant, earliest first.

    The reason's sentence in the run's meta says what `x` and `y` are. In a row, `count` tells how often the decision
    was repeated.
    """
    chosen: dict[str, Any] = {
        "reasons": reason, "until_s": until_s, "count": count, "machine": machine, "after_s": after_s,
    }  # fmt: skip

    def ask() -> Told | None:
        return decisions.ask_for_decisions(run=runs.get_run(public_id=run_id), **chosen)

    def read() -> dict[str, Any]:
        return decisions.recorded_decisions(run=runs.get_run(public_id=run_id), **chosen)

    told = await sync_to_async(ask)()
    found = await decisions.wait_for_decisions(told) if told is not None else None
    # A run that its worker does not answer for may be over by now.
    return found if found is not None else await sync_to_async(read)()


@router.get("/runs/{run_id}/track", response={204: None, **_ERRORS}, openapi_extra=file_answer(_MSGPACK))
async def track(
    request: HttpRequest,
    run_id: str,
    from_s: _Instant = None,
    until_s: _Instant = None,
    first: _Machine = None,
    machines: _Machine = None,
) -> HttpResponse:
    """Give what happened to the tasks of a run, as MessagePack: all of them, or an interval and a range of machines.

    During a run, the answer has what is known so far. The status is 204 if there is no track: the run's worker does not
    answer at once, a shipped recording is being completed, or the run ended without a result. An interval has at most
    60,000 tasks.
    """
    chosen: dict[str, Any] = {"from_s": from_s, "until_s": until_s, "first": first, "machines": machines}

    def ask() -> Told | None:
        return tracks.ask_for_track(run=runs.get_run(public_id=run_id), **chosen)

    def read() -> bytes:
        return tracks.finished_track(run=runs.get_run(public_id=run_id), **chosen)

    told = await sync_to_async(ask)()
    found = await tracks.wait_for_track(told) if told is not None else None
    if found is None:  # a run that its worker does not answer for may be over by now
        try:
            found = await sync_to_async(read)()
        except PlaygroundError as error:
            # No answer yet, or a cancelled run while a page asked: pages ask as long as the run goes on.
            if error.status != HTTPStatus.CONFLICT:
                raise
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return HttpResponse(found, content_type=_MSGPACK)


@router.get("/runs/{run_id}/moments", response={200: MomentsOut, **_ERRORS}, exclude_none=True)
def moments(request: HttpRequest, run_id: str) -> Any:
    """Give the most instructive moments of a finished run, in order of time."""
    return tracks.moments_of(run=runs.get_run(public_id=run_id))


@router.post("/runs/{run_id}/cancel", response={200: RunOut, **_ERRORS})
def cancel(request: HttpRequest, run_id: str) -> Any:
    """Cancel a run. A run that has ended stays as it is."""
    read_body(request)
    run = runs.cancel_run(run=runs.get_run(public_id=run_id), viewer=viewer_of(request))
    return runs.run_payload(run=run, base_url=base_url(request))


@router.post("/runs/{run_id}/pause", response={200: RunOut, **_ERRORS})
def pause(request: HttpRequest, run_id: str) -> Any:
    """Save a run and free its worker. `pausing` is true until then; afterwards the state is `paused`."""
    read_body(request)
    run = pausing.pause_run(run=runs.get_run(public_id=run_id), viewer=viewer_of(request))
    return runs.run_payload(run=run, base_url=base_url(request))


@router.post("/runs/{run_id}/resume", response={200: RunOut, **_ERRORS})
def resume(request: HttpRequest, run_id: str) -> Any:
    """Continue a paused run where it stopped. A run that is not paused stays as it is."""
    read_body(request)
    run = pausing.resume_run(run=runs.get_run(public_id=run_id), viewer=viewer_of(request))
    return runs.run_payload(run=run, base_url=base_url(request))
