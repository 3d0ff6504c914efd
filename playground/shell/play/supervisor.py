"""Start the child processes, watch them, and stop them. Twisted's ProcessMonitor does the watching."""

from __future__ import annotations

import os
import signal
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from twisted.internet import reactor as _reactor
from twisted.internet.protocol import ProcessProtocol
from twisted.internet.task import LoopingCall
from twisted.internet.threads import deferToThread
from twisted.logger import LogEvent, globalLogBeginner
from twisted.python.failure import Failure
from twisted.runner.procmon import ProcessMonitor

from playground.shell.play.processes import ProcessSpec, supervised
from playground.web.qr import qr_text

reactor = cast(Any, _reactor)

_POLL_S = 0.1
#: What starts late does so in the end, though the server never says that it is ready.
_LATE_AFTER_S = 10.0
_MOST_QUICK_DEATHS = 4


class Monitor(ProcessMonitor):
    """Restart children with back-off; report one that dies quickly again and again, with its exit code."""

    threshold = 10  # seconds; who lives less has not really started
    minRestartDelay = 1
    maxRestartDelay = 4
    killTime = 6  # two monitors stop one after the other, within the promised 15 s

    def __init__(self, give_up: Callable[[str, int], None]) -> None:
        super().__init__(reactor)
        self._give_up = give_up
        self._quick_deaths: dict[str, int] = {}

    def add(self, spec: ProcessSpec, environment: Mapping[str, str]) -> None:
        self.addProcess(spec.name, supervised(spec), env={**environment, **spec.environment})

    def _monitoredProcessExited(self, name: str, reason: Failure | None = None) -> None:
        lived = reactor.seconds() - self.timeStarted[name]
        code = _exit_code(reason)
        super()._monitoredProcessExited(name, reason)
        if not self.running:
            return
        deaths = self._quick_deaths[name] = self._quick_deaths.get(name, 0) + 1 if lived < self.threshold else 0
        if deaths > _MOST_QUICK_DEATHS:
            self._give_up(name, code)
        else:
            say(f"{name} ended with exit code {code}; starting it again")


def _exit_code(reason: Failure | None) -> int:
    value = reason.value if reason is not None else None
    status = getattr(value, "exitCode", None)
    by_signal = getattr(value, "signal", None)
    return status if isinstance(status, int) and status else 128 + by_signal if by_signal else 1


class _Once(ProcessProtocol):
    """A process that runs once. Its errors are passed on; `then` is called at its first line of output, or its end."""

    def __init__(self, name: str, then: Callable[[], None] = lambda: None) -> None:
        self._name, self._then = name, then

    def outReceived(self, data: bytes) -> None:
        self._go_on()

    def errReceived(self, data: bytes) -> None:
        for line in data.decode(errors="replace").splitlines():
            say(line, name=self._name)

    def processEnded(self, reason: Failure | None = None) -> None:
        self._go_on()

    def _go_on(self) -> None:
        then, self._then = self._then, lambda: None
        then()


class Supervisor:
    """One life: Redis, then the rest, then the address; and all of it back again."""

    def __init__(
        self,
        *,
        redis: ProcessSpec | None,
        redis_socket: Path | None,
        others: tuple[ProcessSpec, ...],
        environment: Mapping[str, str],
        url: str,
        outside: str = "",
        once: tuple[ProcessSpec, ...] = (),
    ) -> None:
        self._redis_socket, self._url, self._outside = redis_socket, url, outside
        self._environment = {**environment, "PLAYGROUND_SUPERVISOR_PID": str(os.getpid()), "PYTHONUNBUFFERED": "1"}
        self._redis, self._others = Monitor(self._give_up), Monitor(self._give_up)
        if redis is not None:
            self._redis.add(redis, self._environment)
        self._late_by = 0.0
        self._late = [spec for spec in others if spec.late]
        for spec in others:
            if not spec.late:
                self._others.add(spec, self._environment)
        self._once = list(once)
        self._exit_code = 0
        self._stopping = self._answered = self._settled = self._asking = False
        self._parent = _Parent()

    def run(self) -> int:
        """Return the exit code, after everything has stopped."""
        globalLogBeginner.beginLoggingTo([cast(Any, _print_event)], redirectStandardIO=False, discardBuffer=True)
        reactor.callWhenRunning(self._start)
        reactor.run(installSignalHandlers=True)
        return self._exit_code

    def _start(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: reactor.callFromThread(self.stop, 0))
        self._redis.startService()
        LoopingCall(self._watch).start(_POLL_S)

    def _watch(self) -> None:
        """Take the next step of starting or stopping, as soon as it can be taken."""
        if self._stopping:
            self._watch_stopping()
        elif self._parent.is_stopping():
            self.stop(0)
        elif not self._others.running:
            if self._redis_socket is None or _accepts(self._redis_socket):
                self._others.startService()
        elif not self._answered and not self._asking:
            self._asking = True
            deferToThread(answers, self._url).addBoth(self._on_answer)
        elif not self._settled and not self._asking:
            self._asking = True
            deferToThread(answers, f"{self._url}/readyz").addBoth(self._on_ready)

    def _on_answer(self, answered: object) -> None:
        self._asking = False
        if answered is True and not self._answered and not self._stopping:
            self._answered = True
            self._late_by = reactor.seconds() + _LATE_AFTER_S
            print(f"Scheduler Playground: {self._url}   (Ctrl-C stops it)", flush=True)
            if self._outside:
                print(f"Others open {self._outside} or scan this:\n{qr_text(self._outside)}", flush=True)

    def _run_next_once(self) -> None:
        """Run what runs once, beside everything else; each begins when the one before has something to show."""
        if self._once and not self._stopping:
            spec = self._once.pop(0)
            arguments = supervised(spec)
            reactor.spawnProcess(
                _Once(spec.name, self._run_next_once), arguments[0], arguments, env=self._environment,
                path=str(Path(__file__).resolve().parents[3]),
            )  # fmt: skip

    def _on_ready(self, ready: object) -> None:
        self._asking = False
        if ready is not True and reactor.seconds() < self._late_by:
            return
        if self._settled or self._stopping:
            return
        self._settled = True
        for spec in self._late:
            self._others.add(spec, self._environment)
        self._run_next_once()

    def stop(self, code: int) -> None:
        """Stop everything; Redis last, because the others say good-bye to it."""
        if self._stopping:
            return
        self._stopping, self._exit_code = True, code
        if self._others.running:
            self._others.stopService()

    def _watch_stopping(self) -> None:
        if self._others.protocols:
            return
        if self._redis.running:
            self._redis.stopService()
        if not self._redis.protocols and reactor.running:
            reactor.stop()

    def _give_up(self, name: str, code: int) -> None:
        say(f"{name} keeps ending with exit code {code}; stopping all")
        self.stop(code)


class _Parent:
    """`make`, when it is our parent: an interrupt sent to it alone is not passed on to us, so we look for it."""

    def __init__(self) -> None:
        self._pid = os.getppid()
        self._is_make = _read(f"/proc/{self._pid}/comm").strip() in {"make", "gmake"}
        self._caught_at_start = self._catches_interrupt()

    def is_stopping(self) -> bool:
        if not self._is_make:
            return False
        return os.getppid() != self._pid or (self._caught_at_start and not self._catches_interrupt())

    def _catches_interrupt(self) -> bool:
        """Return True if the parent has a handler for SIGINT; make removes its own while it stops."""
        for line in _read(f"/proc/{self._pid}/status").splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) & (1 << (signal.SIGINT - 1)))
        return False


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def _accepts(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def answers(url: str) -> bool:
    """Return True if a page answers; an error page of status 5xx is no answer."""
    try:
        with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - this machine's own page
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def _print_event(event: LogEvent) -> None:
    if "tag" in event and "line" in event:
        say(str(event["line"]), name=str(event["tag"]))
    elif "log_failure" in event:
        say(event["log_failure"].getErrorMessage())


def say(text: str, *, name: str = "play") -> None:
    print(f"{name:>8} | {text}", file=sys.stderr, flush=True)
