"""Many processes that write at once: experiments and runs as the web does, claims and ends as workers do.

`python -m tests.integration.writer WRITERS ROUNDS`: one process loads everything, its children write.
"""

from __future__ import annotations

import multiprocessing
import secrets
import sys
import time
from importlib import import_module
from multiprocessing.synchronize import Barrier

import django


def write(rounds: int, all_here: Barrier) -> None:
    from django.utils import timezone

    from playground.experiments.service import create_experiment
    from playground.ground.viewers import Viewer
    from playground.models import HELD_STATES, Run, RunState
    from playground.runs.pausing import pause_run, resume_run
    from playground.runs.service import cancel_run, get_run
    from playground.runs.starting import start_run
    from tests.support import small_experiment

    all_here.wait(60)
    slowest = 0.0
    for number in range(rounds):
        began = time.monotonic()
        viewer = Viewer(session_key=secrets.token_hex(16))
        experiment = create_experiment(data=small_experiment(), viewer=viewer).experiment
        first, second = (start_run(experiment=experiment, viewer=viewer, seed=seed) for seed in (number, number + 1))
        token = secrets.token_hex(16)
        claimed = Run.objects.filter(pk=first.pk, state=RunState.QUEUED).update(
            state=RunState.RUNNING, claim=token, started_at=timezone.now()
        )
        assert claimed == 1
        pause_run(run=second, viewer=viewer)
        resume_run(run=get_run(public_id=second.public_id), viewer=viewer)
        ended = Run.objects.filter(pk=first.pk, claim=token, state__in=HELD_STATES).update(
            state=RunState.DONE, summary={"number": number}, ended_at=timezone.now()
        )
        assert ended == 1
        assert cancel_run(run=get_run(public_id=second.public_id), viewer=viewer).state == RunState.CANCELLED
        slowest = max(slowest, time.monotonic() - began)
    print(f"{rounds} rounds, the slowest took {slowest:.2f} s")


def main(writers: int, rounds: int) -> int:
    django.setup()
    import_module("playground.runs.pausing")
    # No connection is open yet that children could share.
    context = multiprocessing.get_context("fork")
    all_here = context.Barrier(writers)
    children = [context.Process(target=write, args=(rounds, all_here)) for _ in range(writers)]
    for child in children:
        child.start()
    for child in children:
        child.join(180)
    return 0 if all(child.exitcode == 0 for child in children) else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
