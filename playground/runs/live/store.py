"""What a worker writes about a run while it computes (frames, progress), and what it reads (cancel and pause flags)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings

from playground.contract.notices import StateNotice
from playground.storage.connections import client
from playground.storage.keys import (
    cancel_key,
    frames_key,
    notices_group,
    pause_key,
    progress_key,
    run_inbox_key,
    wanted_key,
)
from playground.storage.notices import hear

#: A page's question keeps a run going for so long: the worker notices closed pages within that time.
WANTED_S = 20


@dataclass(frozen=True)
class Progress:
    """How far a run is: `fraction` 0 to 1, `eta_s` wall seconds left or None."""

    state: str
    fraction: float
    eta_s: float | None
    frames: int
    #: Functions compiled, and known to be needed; set while a kernel compiles.
    compiled: tuple[int, int] | None = None
    #: Stream of the run's frames where that is another one; None leaves the stored value as it is.
    stream: str | None = None

    @classmethod
    def parse(cls, fields: dict[bytes, bytes]) -> Progress | None:
        if b"state" not in fields:
            return None
        eta = fields.get(b"eta_s", b"")
        return cls(
            state=fields[b"state"].decode(),
            fraction=float(fields.get(b"progress", b"0")),
            eta_s=float(eta) if eta else None,
            frames=int(fields.get(b"frames", b"0")),
            compiled=_pair(fields.get(b"compiled", b"")),
            stream=fields[b"stream"].decode() if b"stream" in fields else None,
        )


def _pair(text: bytes) -> tuple[int, int] | None:
    done, _, known = text.partition(b"/")
    return (int(done), int(known)) if known else None


def write_progress(run_id: str, progress: Progress) -> None:
    fields = {
        "state": progress.state,
        "progress": f"{progress.fraction:.4f}",
        "eta_s": "" if progress.eta_s is None else f"{progress.eta_s:.1f}",
        "frames": str(progress.frames),
        "compiled": "" if progress.compiled is None else "{}/{}".format(*progress.compiled),
    }
    if progress.stream is not None:
        fields["stream"] = progress.stream
    with client().pipeline() as pipe:
        pipe.hset(progress_key(run_id), mapping=cast(Any, fields))
        pipe.expire(progress_key(run_id), settings.KEEP_FRAMES_SECONDS + settings.LIMIT_RUN_SECONDS)
        pipe.execute()


def read_progress(run_id: str) -> Progress | None:
    return Progress.parse(cast("dict[bytes, bytes]", client().hgetall(progress_key(run_id))))


def stream_of(run_id: str) -> str:
    """Name the stream of a run's frames: its own, or the one that it shares with runs that are computed with it."""
    name = cast("bytes | None", client().hget(progress_key(run_id), "stream"))
    return name.decode() if name else run_id


class Encoded(NamedTuple):
    """A frame as it is sent, its number, and whether it is a key frame."""

    seq: int
    data: bytes
    key: bool


def publish_frames(stream: str, frames: Sequence[Encoded]) -> None:
    """Append frames, except those that are there already: a run that is taken over repeats its frames."""
    with client().pipeline(transaction=False) as pipe:
        for frame in frames:
            fields: Any = {"f": frame.data, "k": b"1" if frame.key else b"0"}
            pipe.xadd(frames_key(stream), fields, id=f"{frame.seq + 1}-0")
        answers = pipe.execute(raise_on_error=False)
    for answer in answers:
        if isinstance(answer, Exception) and "equal or smaller" not in str(answer):
            raise answer


def last_published(stream: str) -> int:
    """Return the sequence number of the newest frame in the stream, -1 for none."""
    entries = cast("list[tuple[bytes, object]]", client().xrevrange(frames_key(stream), count=1))
    return seq_of(entries[0][0]) if entries else -1


def seq_of(entry_id: bytes) -> int:
    return int(entry_id.split(b"-", 1)[0]) - 1


def expire_frames(stream: str) -> None:
    client().expire(frames_key(stream), settings.KEEP_FRAMES_SECONDS)


def keep_frames(stream: str) -> None:
    """Let frames stay that were to expire: the run goes on."""
    client().persist(frames_key(stream))


def want(run_id: str) -> None:
    """Note that a user waits for a run; who goes on waiting says so again."""
    client().set(wanted_key(run_id), b"1", ex=WANTED_S)


def wanted_of(run_ids: Sequence[str]) -> set[str]:
    """Return those of some runs that a user waits for."""
    found = cast("list[bytes | None]", client().mget([wanted_key(run_id) for run_id in run_ids])) if run_ids else []
    return {run_id for run_id, wanted in zip(run_ids, found, strict=True) if wanted is not None}


@dataclass(frozen=True)
class Wishes:
    """What a user wants of the worker that computes a run."""

    cancel: bool
    pause: bool
    questions: bool


def wishes(run_ids: list[str]) -> dict[str, Wishes]:
    """Return what is wanted of some runs, asked at once."""
    with client().pipeline(transaction=False) as pipe:
        for run_id in run_ids:
            for key in (cancel_key(run_id), pause_key(run_id), run_inbox_key(run_id)):
                pipe.exists(key)
        found = iter(pipe.execute())
    return {run_id: Wishes(bool(next(found)), bool(next(found)), bool(next(found))) for run_id in run_ids}


def ask_to_cancel(run_id: str) -> None:
    client().set(cancel_key(run_id), b"1", ex=settings.LIMIT_RUN_SECONDS + 60)


def is_cancel_asked(run_id: str) -> bool:
    return bool(client().exists(cancel_key(run_id)))


def ask_to_pause(run_id: str) -> None:
    client().set(pause_key(run_id), b"1", ex=settings.LIMIT_RUN_SECONDS + 60)


def take_back_pause(run_id: str) -> None:
    client().delete(pause_key(run_id))


def is_pause_asked(run_id: str) -> bool:
    return bool(client().exists(pause_key(run_id)))


def announce_state(run_id: str, progress: Progress) -> None:
    """Store a run's new state in Redis for all readers, and notify its viewers."""
    write_progress(run_id, progress)
    layer = get_channel_layer()
    if layer is not None:
        message = cast("StateNotice", {"type": "run.state", "state": progress.state})
        async_to_sync(layer.group_send)(notices_group(run_id), message)


async def hear_states(run_id: str, on_state: Callable[[], Awaitable[None]]) -> None:
    """Call `on_state` at every announced state, until cancelled.

    One channel for each run and process. With one a socket, all of them would read from Redis, and all break with it.
    """
    await hear(notices_group(run_id), on_state)
