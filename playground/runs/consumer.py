"""WS /ws/runs/{id}?after=SEQ: frames as binary MessagePack, from a pump during the run and from its file later.

A viewer that is late gets several frames merged into one; with `&each=1` it gets each of them, however late.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async

from playground.models import FINAL_STATES, Run, RunState
from playground.runs.live import replay
from playground.runs.live.outbox import PATIENCE_S, Outbox
from playground.runs.live.pump import PUMPS, Listener, Pump
from playground.runs.live.store import Progress
from playground.runs.service import get_run
from playground.web.once import Shared
from playground.web.socket import CLOSE_BAD_REQUEST, CLOSE_NORMAL, CLOSE_UNAVAILABLE, Ended, Socket

_MOST_LAYERS = 64
_LARGEST_SEQ = 2**53
_TICK_S = 0.05
_CATCH_UP_S = 10.0

_ROWS: Shared[Run] = Shared()


class RunConsumer(Socket):
    """One viewer of one run."""

    most_bad = 10
    keys = frozenset({"ack", "subscribe", "notices"})
    expects = "a message is a map with 'subscribe', 'ack' or 'notices'"

    async def join(self) -> None:
        self._wants_notices = False
        self._last_notice: dict[str, Any] | None = None
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        after = _after(query.get("after", ["-1"])[0])
        if after is None:
            raise Ended("bad_request", "'after' is a frame's number, or -1 for all of them", CLOSE_BAD_REQUEST)
        self._run_id = self.argument("run_id")
        self._listener = Listener(Outbox(after, each=query.get("each") == ["1"]))
        self.run(self._feed(), name=f"feed-{self._run_id}")

    async def obey(self, message: dict[str, Any]) -> None:
        outbox = self._listener.outbox
        if "ack" in message:
            outbox.ack(_seq(message["ack"]))
        if "subscribe" in message:
            outbox.subscribe(_layers(message["subscribe"]))
        if message.get("notices") is True and not self._wants_notices:
            self._wants_notices = True
        self._listener.wake.set()

    async def _feed(self) -> None:
        """Send everything from the viewer's place to the run's end, and say how it ended."""
        run = await self._load()
        if run.state == RunState.PAUSED:
            # Its frames in Redis expire, and a restart loses them.
            await self._replay(run)
        if run.state not in FINAL_STATES:
            async with PUMPS.listen(self._run_id, self._listener) as pump:
                await self._follow(pump)
            run = await self._load()
        elif run.state != RunState.DONE:
            async with PUMPS.listen(self._run_id, self._listener) as pump:
                await self._catch_up(pump)
        await self._finish(run)

    async def _follow(self, pump: Pump) -> None:
        listener = self._listener
        while not (listener.ended and listener.caught_up and listener.outbox.empty):
            if not listener.caught_up:
                await self._catch_up(pump)
            await self._send_waiting()
            if listener.progress is not None:
                await self._notice(listener.progress)
            await self._wait()
        if listener.broken:
            raise Ended("fault", "the reader of this run broke; connect again", CLOSE_UNAVAILABLE)

    async def _catch_up(self, pump: Pump) -> None:
        """Send what the stream already has, until nothing lies between it and what the pump hands out."""
        listener, outbox = self._listener, self._listener.outbox
        # Who cannot take the past this quickly gets the rest of it in merged frames, and comes up to the present.
        patient_until = time.monotonic() + _CATCH_UP_S - PATIENCE_S
        while True:
            before, position = outbox.next_seq, pump.position
            frames = await pump.history.after(outbox.next_seq - 1)
            for frame in frames:
                outbox.offer(frame, min(time.monotonic(), patient_until))
            # Frames from the time of the read are in the stream now; a missing one will never come.
            lost = outbox.next_seq == before and pump.position == position
            if outbox.next_seq > pump.position or lost:
                # No other code runs between this check and the next frame that the pump hands out.
                listener.caught_up = True
                return
            await self._drain()

    async def _replay(self, run: Run) -> None:
        """Send what the run's file holds: its recording, or the frames before its pause."""
        async for frames in replay.frames_after(run=run, after=self._listener.outbox.next_seq - 1):
            for frame in frames:
                self._listener.outbox.offer(frame, time.monotonic())
            await self._drain()

    async def _finish(self, run: Run) -> None:
        """Serve the rest of a run that is over."""
        if run.state == RunState.DONE:
            await self._replay(run)
        await self._drain()
        await self._notice(Progress(run.state, 1.0 if run.state == RunState.DONE else 0.0, None, run.frames))
        if run.state == RunState.DONE:
            await self.end(CLOSE_NORMAL)
        elif run.state == RunState.CANCELLED:
            raise Ended("cancelled", "the run was cancelled", CLOSE_NORMAL)
        else:
            raise Ended(run.error_code or "failed", run.error_message or "the run failed", CLOSE_NORMAL)

    async def _send_waiting(self) -> None:
        while (data := self._listener.outbox.take(time.monotonic())) is not None:
            await self.send(bytes_data=data)
            # Whoever has much to send lets the others have their turn.
            await asyncio.sleep(0)

    async def _drain(self) -> None:
        await self._send_waiting()
        while not self._listener.outbox.empty:
            await self._wait()
            await self._send_waiting()

    async def _wait(self) -> None:
        """Wait for news."""
        listener = self._listener
        if listener.outbox.empty:
            await listener.wake.wait()
        else:
            # Try a message that waits for a window again soon: a silent viewer's window opens by time alone.
            with suppress(TimeoutError):
                async with asyncio.timeout(_TICK_S):
                    await listener.wake.wait()
        listener.wake.clear()

    async def _load(self) -> Run:
        """Return the run's row, read once for all sockets that come, or see the run end, at the same moment."""
        return await _ROWS.get(self._run_id, lambda: database_sync_to_async(get_run)(public_id=self._run_id))

    async def _notice(self, progress: Progress) -> None:
        compiled = {"done": progress.compiled[0], "known": progress.compiled[1]} if progress.compiled else None
        notice = {
            "state": progress.state, "progress": progress.fraction, "eta_s": progress.eta_s, "compiled": compiled
        }  # fmt: skip
        if self._wants_notices and notice != self._last_notice:
            self._last_notice = notice
            await self.say({"notice": notice})


def _after(text: str) -> int | None:
    """Return the last frame that the viewer has, -1 for none; None when that is no number."""
    try:
        after = int(text) if len(text) <= 20 else None
    except ValueError:
        return None
    return after if after is not None and -1 <= after <= _LARGEST_SEQ else None


def _seq(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -1 <= value <= _LARGEST_SEQ:
        raise ValueError("'ack' is a frame's number")
    return value


def _layers(value: object) -> list[str]:
    if not isinstance(value, list) or len(value) > _MOST_LAYERS or not all(isinstance(name, str) for name in value):
        raise ValueError(f"'subscribe' is a list of at most {_MOST_LAYERS} layer names")
    return value
