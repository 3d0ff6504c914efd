"""Numeric codes in a pipeline's arrays: kinds of events, phases of the loop, places of stages, policies."""

from __future__ import annotations

from scheduler_core.refarch.stages import STAGES

# Kinds of events. ITERATE goes after all others of its instant, arrivals included.
TASK_END = 1
RETRY = 2
SET_UP = 3
LEASED = 4
SCALE = 5
COPY_END = 6
LATE = 7
CLEANED = 8
ITERATE = 65

# What the loop is in the middle of.
IDLE, ADMITTING, CHOOSING, SCALING, COPYING = range(5)
NOT_LEASED = 4
"""Why a machine is out of service, beside those of engine.records: it is not in the pool."""
OUT, COMING, IN = range(3)

# Places of stages.
_PLACE = {stage.id: number for number, stage in enumerate(STAGES)}
J1, J2, J3, J4, J5, J6, J7 = (_PLACE[f"J{number}"] for number in range(1, 8))
T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12 = (_PLACE[f"T{number}"] for number in range(1, 13))
B, M1, M2, M3, M4, M5, M6 = (_PLACE[name] for name in ("B", "M1", "M2", "M3", "M4", "M5", "M6"))
R1, R2, R3, R4, R5, R6, R7 = (_PLACE[f"R{number}"] for number in range(1, 8))

# Policies, by the names of refarch.policies; NONE is a stage without one.
NONE = 0
J2_POLICIES = {"none": NONE, "all": NONE, "user_cap": 1, "flow_control": 2}
USER_CAP, FLOW_CONTROL = J2_POLICIES["user_cap"], J2_POLICIES["flow_control"]
R7_POLICIES = {"none": NONE, "reactive": 1, "scheduled": 2, "tokens": 3}
REACTIVE, SCHEDULED, TOKENS = 1, 2, 3
T6_POLICIES = {"none": NONE, "period": 1, "checkpoint": 2}
SAVES = T6_POLICIES["checkpoint"]
T9_POLICIES = {"none": NONE, "copies": 1, "stragglers": 2}
COPIES, STRAGGLERS = 1, 2
T10_POLICIES = {"none": NONE, "priority": 1, "fairness": 2, "oldest": 3}
BY_PRIORITY, BY_FAIRNESS, OLDEST = 1, 2, 3
T11_POLICIES = {"none": NONE, "restart": 1, "back_off": 2, "give_up": 3}
BACK_OFF, GIVE_UP = 2, 3
T12_POLICIES = {"none": NONE, "drain": 1, "contention": 2}
ON_DRAIN, ON_CONTENTION = 1, 2
R4_POLICIES = {"none": NONE, "free_now": 1, "predicted": 2}
PREDICTED = R4_POLICIES["predicted"]
M4_POLICIES = {"none": NONE, "by_load": 1, "free_cores": 2}
BY_LOAD, FREE_CORES = 1, 2
M5_POLICIES = {"none": NONE, "random": 1, "round_robin": 2, "least_loaded": 3, "two_choices": 4}
RANDOM_NODE, NEXT_NODE, LEAST_LOADED, TWO_CHOICES = 1, 2, 3, 4
COUNT_TASKS, COUNT_SHARES = 1, 2
"""What J3's fair policies compare: running tasks, or dominant shares."""
BY_NOTHING, BY_KEY, SHUFFLED = range(3)
"""What T2's literal algorithm does: nothing, sort by comparing, move each task once."""
R5_POLICIES = {
    name: number
    for number, name in enumerate(
        ("none", "first_fit", "best_fit", "worst_fit", "random", "round_robin", "e_pvm", "score_mix", "earliest_finish")
    )
}
FIRST_FIT, BEST_FIT, WORST_FIT = R5_POLICIES["first_fit"], R5_POLICIES["best_fit"], R5_POLICIES["worst_fit"]
RANDOM, ROUND_ROBIN, E_PVM = R5_POLICIES["random"], R5_POLICIES["round_robin"], R5_POLICIES["e_pvm"]
SCORE_MIX, EARLIEST_FINISH = R5_POLICIES["score_mix"], R5_POLICIES["earliest_finish"]
