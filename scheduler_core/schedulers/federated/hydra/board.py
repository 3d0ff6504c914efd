"""Hydra on a message board: jobs get a home, managers request and launch at heartbeats, a generator pushes policies."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_UNSCHEDULABLE, World
from scheduler_core.schedulers.federated.hydra.reasons import LOST, RESENT
from scheduler_core.schedulers.federated.hydra.state import ASK, ASK_AGAIN, LOOK, TASK_END, HydraState
from scheduler_core.schedulers.shared.heartbeats.state import BEAT
from scheduler_core.world.board import Board, Event, Lane, LaneKind, Message, MessageKind, Span, Step, Told, job_of

_ROUTER: Lane = ("router", 0)
_POLICY: Lane = ("policy", 0)


def _before(world: World, state: HydraState, event: Event) -> Iterator[Told]:
    if event.kind == BEAT and state.sub[event.a].next_ns == event.time_ns:  # no earlier node has received waiting tasks
        yield Message("beat", ("machine", event.b), ("sub", event.a), event.time_ns, event.time_ns)
    row = world.task[event.a] if event.kind == TASK_END else None
    if row is not None and row.state == TASK_RUNNING and row.last_start_ns == event.b:  # not stopped meanwhile
        node: Lane = ("machine", int(row.machine))
        yield Message("ended", node, _sub_of(world, row.machine), event.time_ns, event.time_ns, event.a)


def _sub_of(world: World, machine: int) -> Lane:
    return "sub", int(world.machine[machine].cluster)


def _after(world: World, state: HydraState, step: Step) -> Iterator[Told]:
    now_ns, delay_ns = int(world.control[0].now_ns), int(state.rules[0].delay_ns)
    for event in step.scheduled:
        if event.kind == ASK:
            home: Lane = ("sub", int(state.job[event.a].home))
            yield Message("route", _ROUTER, home, now_ns, now_ns + delay_ns, -1, event.a)
        elif event.kind == TASK_END:
            yield from _given(world, event.a, event.b, delay_ns)
    if step.event is not None:
        yield from _came(world, state, step.event, delay_ns)
    beats = {event.a: event.time_ns for event in step.scheduled if event.kind == ASK_AGAIN}
    for row in step.decisions:
        task = row["task"]
        manager: Lane = ("manager", job_of(world, task))
        if row["reason"] == RESENT:
            yield Message("withdraw", manager, ("sub", row["frm"]), beats[task] - delay_ns, beats[task], task)
        elif row["reason"] == LOST:
            yield Message("lost", _sub_of(world, row["machine"]), manager, row["t_ns"], row["t_ns"], task)


def _given(world: World, task: int, start_ns: int, delay_ns: int) -> Iterator[Told]:
    """Yield the manager's next heartbeat fetches what was given; it launches the task."""
    row = world.task[task]
    node, sub, manager = ("machine", int(row.machine)), _sub_of(world, row.machine), ("manager", int(row.job))
    fetched_ns = start_ns - 2 * delay_ns
    yield Message("fetch", manager, sub, fetched_ns - delay_ns, fetched_ns, task)
    yield Message("given", sub, manager, fetched_ns, fetched_ns + delay_ns, task)
    yield Message("launch", manager, node, fetched_ns + delay_ns, start_ns, task)
    yield Span(node, task, start_ns, start_ns + int(row.duration_ns))


def _came(world: World, state: HydraState, event: Event, delay_ns: int) -> Iterator[Told]:
    """Yield what has come, and was not known before where it would go."""
    sent = event.time_ns - delay_ns
    if event.kind == LOOK:
        for number in range(len(state.sub)):
            yield Message("policy", _POLICY, ("sub", number), event.time_ns, event.time_ns + delay_ns)
    elif event.kind == ASK_AGAIN:
        sub = int(state.task[event.a].sub)
        yield Message("again", ("manager", job_of(world, event.a)), ("sub", sub), sent, event.time_ns, event.a)
    elif event.kind == ASK:
        job = world.job[event.a]
        tasks = range(int(job.first_task), int(job.first_task + job.tasks))
        asked = {int(state.task[task].sub) for task in tasks if world.task[task].state != TASK_UNSCHEDULABLE}
        for sub in sorted(asked - {NOBODY}):
            yield Message("ask", ("manager", event.a), ("sub", sub), sent, event.time_ns, -1, event.a)


BOARD = Board(
    state=HydraState,
    lanes=(
        LaneKind("policy", "policy", "The global policy generator: looks at all sub-clusters every few seconds, and "
            "pushes the policy that routers and proxies use.", alone=True),
        LaneKind("router", "router", "The router: draws a home for each job by the policy.", alone=True),
        LaneKind("manager", "job", "The manager of a job: at its heartbeats it requests machines through its proxy, "
            "fetches grants and launches tasks."),
        LaneKind("sub", "RM", "The resource manager of a sub-cluster: has a queue and gives nodes tasks when they "
                 "report.", stands_for="cluster"),
        LaneKind("machine", "node", "A node: reports to its resource manager at its heartbeats.",
                 stands_for="machine"),
    ),
    messages=(
        MessageKind("route", "Route", "The job goes home, where its manager starts."),
        MessageKind("ask", "Asks", "The first heartbeat of the manager asks for the tasks that the proxy sends here."),
        MessageKind("fetch", "Fetches", "A heartbeat of the manager asks for its grants."),
        MessageKind("given", "Given", "The manager learns which node the task gets."),
        MessageKind("launch", "Launch", "The manager starts the task on the node."),
        MessageKind("withdraw", "Withdraws", "The task has waited long here, so the manager requests it elsewhere."),
        MessageKind("again", "Asks again", "The manager requests the task at another sub-cluster, or again after its "
            "node failed."),
        MessageKind("lost", "Lost", "The node failed and its tasks are lost. The manager knows at once.", refuses=True),
        MessageKind("policy", "Policy", "The policy generator pushes a new policy."),
        MessageKind("beat", "Heartbeat", "The node reports and receives waiting tasks that fit. The report takes no "
        "time here and does not count as a message.", counted=False),
        MessageKind("ended", "Ended", "At its heartbeat, the node reports the end of the task. The report takes no "
            "time here and does not count as a message.", counted=False),
    ),
    after=_after,
    before=_before,
)  # fmt: skip
