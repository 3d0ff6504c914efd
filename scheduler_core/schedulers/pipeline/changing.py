"""Apply parameter changes during a run: stages switch policy, and waiting tasks are sorted again."""

from __future__ import annotations

from scheduler_core.engine.incidents import SHARE_UNIT
from scheduler_core.engine.jit import called, field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.pipeline.codes import PREDICTED
from scheduler_core.schedulers.pipeline.iterating import ask_now
from scheduler_core.schedulers.pipeline.lines import rebuild
from scheduler_core.schedulers.pipeline.predicting import let_go
from scheduler_core.schedulers.pipeline.state import PipelineState

_take_over = field_copier(
    (
        "timer_ns",
        "on_arrival",
        "on_end",
        "charge",
        "fair",
        "bags",
        "by_time",
        "by_left",
        "by_share",
        "j2",
        "j2_jobs",
        "j2_tasks",
        "j3",
        "j5",
        "j5_job_ns",
        "j5_task_ns",
        "j7_ns",
        "t2",
        "t5_ns",
        "t6",
        "t6_ns",
        "t9",
        "t9_factor",
        "t10",
        "t10_wait_ns",
        "t10_times",
        "t11",
        "t11_wait_ns",
        "t11_retries",
        "t12",
        "t12_ns",
        "t12_live",
        "b_latency_ns",
        "b_price",
        "m2",
        "m4",
        "m4_load",
        "m5",
        "r4",
        "r4_ns",
        "r5",
        "r6_delay_ns",
    )
)


@called
def set_params(w: World, s: PipelineState, number: int) -> None:
    """Apply row `number` of the settings to the pipeline from now on."""
    rules, new = s.rules[0], s.setting[number]
    _take_over(rules, new)
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
    """Update keys that are shares to the present shares, which an event may have set before."""
    by_share = s.rules[0].by_share
    for task in range(s.task.shape[0]):
        key = -round(s.queue[w.job[w.task[task].job].queue].share * SHARE_UNIT)
        if by_share & 1 == 1:
            s.task[task].second_key = key
        if by_share & 2 == 2:
            s.task[task].first_key = key
