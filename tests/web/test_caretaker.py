"""The thread that looks after runs lives in a process that forks."""

from __future__ import annotations

import os
import threading
from types import SimpleNamespace

import pytest

from playground.runs import recovery
from playground.shell import retention, worker
from playground.studies import execution

pytestmark = pytest.mark.redis


def test_a_worker_does_not_fork_in_the_middle_of_a_look_after_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    looking, looked, stop, ended = threading.Event(), threading.Event(), threading.Event(), []

    def look() -> int:
        looking.set()
        assert looked.wait(60)
        return 0

    def fork() -> None:
        if (child := os.fork()) == 0:
            os._exit(0)
        ended.append(os.waitpid(child, 0)[1])

    monkeypatch.setattr(recovery, "recover_runs", look)
    monkeypatch.setattr(execution, "recover_studies", lambda: 0)
    monkeypatch.setattr(retention, "make_room_if_due", lambda: None)
    monkeypatch.setattr(worker.workers, "mark_worker_alive", lambda name, processes: None)
    parent = SimpleNamespace(hostname="runs@here", pool=SimpleNamespace(num_processes=1))
    care = threading.Thread(target=worker.Caretaker._care, args=(None, parent, stop), daemon=True)
    pool = threading.Thread(target=fork, daemon=True)
    try:
        care.start()
        assert looking.wait(60)
        pool.start()
        pool.join(0.5)
        assert ended == []
    finally:
        stop.set()
        looked.set()
    pool.join(60)
    care.join(60)
    assert ended == [0]
