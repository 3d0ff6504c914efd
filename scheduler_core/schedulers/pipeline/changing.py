"""Parameters that an event sets during a run: stages get another policy, and what waits is sorted again."""

from __future__ import annotations

from scheduler_core.engine.incidents import SHARE_UNIT
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.pipeline.codes import PREDICTED
from scheduler_core.schedulers.pipeline.iterating import ask_now
from scheduler_core.schedulers.pipeline.lines import rebuild
from scheduler_core.schedulers.pipeline.predicting import let_go
from scheduler_core.schedulers.pipeline.state import PipelineState


@called
def set_params(w: World, s: PipelineState, number: int) -> None:
    """From now on the pipeline is that of row `number` of the settings."""
    rules, new = s.rules[0], s.setting[number]
    _set_jobs(s, number)
    _set_tasks(s, number)
    _set_others(s, number)
    if rules.held_machine != NOBODY and rules.r4 != PREDICTED:
        let_go(w, s)
    if new.keys != NOBODY:
        for task in range(s.task.shape[0]):
            it = s.task[task]
            it.first_key = s.new_keys[new.keys, 0, task]
            it.second_key = it.left_ns if rules.by_left == 1 else s.new_keys[new.keys, 1, task]
        if rules.by_share > 0:
            _by_shares_now(w, s)
        rebuild(s)
    for at in range(rules.lines):
        line = s.line[s.live[at]]
        line.shut = 0
        line.only = NOBODY
    ask_now(w, s)


@inner
def _by_shares_now(w: World, s: PipelineState) -> None:
    """Keys that are shares are those of now, which an event may have set before."""
    by_share = s.rules[0].by_share
    for task in range(s.task.shape[0]):
        key = -round(s.queue[w.job[w.task[task].job].queue].share * SHARE_UNIT)
        if by_share & 1 == 1:
            s.task[task].second_key = key
        if by_share & 2 == 2:
            s.task[task].first_key = key


@inner
def _set_jobs(s: PipelineState, number: int) -> None:
    rules, new = s.rules[0], s.setting[number]
    rules.timer_ns = new.timer_ns
    rules.on_arrival = new.on_arrival
    rules.on_end = new.on_end
    rules.charge = new.charge
    rules.fair = new.fair
    rules.bags = new.bags
    rules.by_time = new.by_time
    rules.by_left = new.by_left
    rules.by_share = new.by_share
    rules.j2 = new.j2
    rules.j2_jobs = new.j2_jobs
    rules.j2_tasks = new.j2_tasks
    rules.j3 = new.j3
    rules.j5 = new.j5
    rules.j5_job_ns = new.j5_job_ns
    rules.j5_task_ns = new.j5_task_ns
    rules.j7_ns = new.j7_ns


@inner
def _set_tasks(s: PipelineState, number: int) -> None:
    rules, new = s.rules[0], s.setting[number]
    rules.t2 = new.t2
    rules.t5_ns = new.t5_ns
    rules.t6 = new.t6
    rules.t6_ns = new.t6_ns
    rules.t9 = new.t9
    rules.t9_factor = new.t9_factor
    rules.t10 = new.t10
    rules.t10_wait_ns = new.t10_wait_ns
    rules.t10_times = new.t10_times
    rules.t11 = new.t11
    rules.t11_wait_ns = new.t11_wait_ns
    rules.t11_retries = new.t11_retries
    rules.t12 = new.t12
    rules.t12_ns = new.t12_ns
    rules.t12_live = new.t12_live


@inner
def _set_others(s: PipelineState, number: int) -> None:
    rules, new = s.rules[0], s.setting[number]
    rules.b_latency_ns = new.b_latency_ns
    rules.b_price = new.b_price
    rules.m2 = new.m2
    rules.m4 = new.m4
    rules.m4_load = new.m4_load
    rules.m5 = new.m5
    rules.r4 = new.r4
    rules.r4_ns = new.r4_ns
    rules.r5 = new.r5
    rules.r6_delay_ns = new.r6_delay_ns
