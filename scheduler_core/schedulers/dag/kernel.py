"""The event loop of the DAG family: process all events of an instant, then make one decision."""

from __future__ import annotations

from scheduler_core.engine.events import steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.aligning import pack_turn
from scheduler_core.schedulers.dag.faults import on_incident, strike
from scheduler_core.schedulers.dag.filling import fill_turn, give_back
from scheduler_core.schedulers.dag.giving import find_level, give_up
from scheduler_core.schedulers.dag.grouped import group_turn, put_in_lines
from scheduler_core.schedulers.dag.jobs import ask_decision, on_end, on_job
from scheduler_core.schedulers.dag.locality import local_turn
from scheduler_core.schedulers.dag.offering import offer_turn
from scheduler_core.schedulers.dag.ordered import put_in_order
from scheduler_core.schedulers.dag.planning import plan_turn
from scheduler_core.schedulers.dag.sharing import share_turn, tell_turn
from scheduler_core.schedulers.dag.state import (
    BY_WORK,
    DECIDE,
    FILL,
    IDLE,
    LEFTOVER,
    LOCAL,
    OFFER,
    PACK,
    PLAN,
    SHARE,
    TASK_END,
    TELL,
    WAKE,
    DagState,
)
from scheduler_core.schedulers.shared.groups.tree import FLAT


@kernel
def advance(w: World, s: DagState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: the papers of the family; with Carbyne's phases, Pseudocode 1 of Carbyne.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase != IDLE:
            _turn(w, s)
            continue
        if rules.striking != NOBODY:
            strike(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            on_end(w, s, a, b)
        elif kind == DECIDE:
            _begin(w, s)
        elif kind == WAKE:
            s.job[a].awaited = 0
            ask_decision(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        else:
            on_job(w, s, a)


@inner
def _begin(w: World, s: DagState) -> None:
    """Begin a decision."""
    rules = s.rules[0]
    rules.pending = 0
    rules.last_ns = w.control[0].now_ns
    rules.decisions += 1
    rules.tries += 1
    rules.failed_open = 0
    rules.selfish = 0
    _enter(w, s, rules.first_phase)


@inner
def _enter(w: World, s: DagState, phase: int) -> None:
    rules = s.rules[0]
    rules.phase = phase
    rules.at = 0
    if phase == PLAN and rules.by_level == 1 and rules.reshare == 1:
        find_level(w, s)
    if phase == SHARE and rules.tree != FLAT:
        put_in_lines(w, s, rules.order)
    elif phase == SHARE or phase == FILL:
        put_in_order(w, s, rules.order)
    elif phase == LEFTOVER:
        put_in_order(w, s, BY_WORK)
    elif phase == LOCAL:
        put_in_order(w, s, rules.order)


@inner
def _turn(w: World, s: DagState) -> None:
    """Do a short step of the current decision."""
    rules = s.rules[0]
    phase = rules.phase
    if phase == PLAN:
        if not plan_turn(w, s):
            give_up(s)
            _enter(w, s, FILL if rules.sets_aside == 1 and rules.selfish > 0 else SHARE)
    elif phase == PACK:
        if not pack_turn(w, s):
            _enter(w, s, TELL)
    elif phase == OFFER:
        if not offer_turn(w, s):
            _enter(w, s, TELL)
    elif phase == LOCAL:
        if not local_turn(w, s, rules.order):
            _enter(w, s, IDLE)
    elif phase == TELL:
        if not tell_turn(w, s):
            _enter(w, s, IDLE)
    elif phase == SHARE and rules.tree != FLAT:
        if not group_turn(w, s, rules.order):
            _enter(w, s, rules.leftover_phase)
    elif phase == SHARE:
        if not share_turn(w, s, rules.order):
            _enter(w, s, rules.leftover_phase)
    elif phase == FILL:
        if not fill_turn(w, s, rules.order):
            give_back(w, s)
            # What altruistic jobs cannot put off comes before the leftover, and only after what DRF gives the others.
            _enter(w, s, SHARE if rules.selfish < rules.active else rules.leftover_phase)
    elif phase == LEFTOVER:
        if not share_turn(w, s, BY_WORK):
            _enter(w, s, IDLE)
