"""Execute a run in a worker: claim it, attempt it, and store its end.

A run may be executed more than once, because a worker may die or a message may arrive twice. Every step tolerates that.
The claim is a conditional update, held by a lease in Redis. The simulation is deterministic. Any worker may continue a
paused run. What happens between claim and end is in runs/attempt.py.

If Redis or the database is unreachable, a worker leaves the run: its row says that it is held but no lease holds it,
so recovery finds it.
"""

from __future__ import annotations

import logging
import secrets
import time

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import F
from django.utils import timezone

from playground.errors import PlaygroundError
from playground.ground.simulator import in_words, invalid_experiment
from playground.models import Run, RunState
from playground.runs import queue, turns
from playground.runs.attempt import Attempt, LostClaim, PutAside, TooLong
from playground.runs.giving_way import GiveWay, put_back
from playground.runs.keeping import fail
from playground.runs.sharing import Together, join
from playground.storage import connections, leases
from playground.storage.leases import Lease
from playground.storage.turns import note_served
from scheduler_core import Cancelled, ExperimentError, NotCompiled

logger = logging.getLogger(__name__)

#: How often a turn looks for another run where a worker was quicker.
_TRIES = 8


def execute_run(*, run_id: str) -> bool:
    """Take a turn: compute the run that is due, which need not be that of the message; return True if this call did."""
    try:
        background = Run.objects.filter(public_id=run_id, background=True).exists()
        for _ in range(_TRIES):
            due = queue.due_run(background=background)
            if due is None:
                return False
            if _execute(due, secrets.token_hex(16)):
                return True
        return False
    except (*connections.REDIS_AWAY, *connections.DATABASE_AWAY) as error:
        # Neither its own fault nor that of the experiment. Recovery finds it by its row and queues it again.
        logger.warning("run %s is left to recovery, for Redis or the database does not answer: %s", run_id, error)
        return False


def _execute(run_id: str, token: str) -> bool:
    run = Run.objects.select_related("experiment").filter(public_id=run_id).first()
    if run is None or join(run) or not _take_lease(run_id, token):
        return False
    with Lease(run_id, token):
        claimed = Run.objects.filter(public_id=run_id, state=RunState.QUEUED).update(
            state=RunState.RUNNING, claim=token, started_at=timezone.now(), attempts=F("attempts") + 1
        )
        if not claimed:
            return False
        run.refresh_from_db()
        _execute_claimed(Together(run))
    note_served(turns.QUEUE, turns.owner_of(run.experiment), turns.group_of(run.experiment))
    return True


def _take_lease(run_id: str, token: str) -> bool:
    """Take the lease; a waiting run that still has a lease is about to be released by its worker."""
    deadline = time.monotonic() + settings.LEASE_SECONDS + 1
    while not leases.take_lease(run_id, token):
        waits = Run.objects.filter(public_id=run_id, state=RunState.QUEUED).exists()
        if not waits or time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _execute_claimed(together: Together) -> None:
    run = together.leader
    try:
        logger.info("run %s begins (attempt %s)", run.public_id, run.attempts)
        Attempt(together).run()
        logger.info("run %s is done", run.public_id)
    except (Cancelled, LostClaim):
        logger.info("run %s was cancelled or taken over", run.public_id)
    except PutAside:
        logger.info("run %s is paused", run.public_id)
    except (GiveWay, NotCompiled):
        for each in together.rows:
            put_back(each)
    except ExperimentError as error:
        fail(together, "refused", in_words(invalid_experiment(error.problems)))
    except PlaygroundError as error:
        fail(together, "refused", in_words(error))
    except (SoftTimeLimitExceeded, TooLong):
        limit = f"{settings.LIMIT_RUN_SECONDS} s (setting PLAYGROUND_LIMIT_RUN_SECONDS)"
        attempts = f", all {run.attempts} attempts together" if run.attempts > 1 else ""
        fail(together, "time_limit", f"The run took longer than {limit}{attempts}; make the workload shorter")
    except MemoryError:
        message = "The run needs more memory than the server has; make the workload or the topology smaller"
        fail(together, "memory", message)
    except (*connections.REDIS_AWAY, *connections.DATABASE_AWAY):
        raise
    except Exception:
        logger.exception("run %s failed", run.public_id)
        fail(together, "internal", "The simulation failed because of an error in the playground; the error was logged")
