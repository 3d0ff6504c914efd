"""Become a supervised process: a process group that the kernel ends when the supervisor is gone.

python -m playground.shell.play.child PROGRAM ARGUMENTS...
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies; elsewhere there is no such wish, and nothing happens."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def main(arguments: list[str]) -> None:
    supervisor = int(os.environ.get("PLAYGROUND_SUPERVISOR_PID", "0"))
    # Ctrl-C in a terminal reaches the foreground group; only the supervisor is to hear it.
    os.setsid()
    die_with_parent()
    # The line above does not notice a supervisor that died before it.
    if supervisor and os.getppid() != supervisor:
        raise SystemExit(1)
    # A shell that starts things in the background may have had them ignore this, and children inherit it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(arguments[0], arguments)  # noqa: S606 - a program of ours takes this one's place


if __name__ == "__main__":
    main(sys.argv[1:])
