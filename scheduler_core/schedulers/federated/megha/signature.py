"""The signature of Megha."""

from __future__ import annotations

from scheduler_core.world.signature import MEDIAN_WAIT, Band, Figure, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=None,
    decides="several",
    knows="All machines, as last reported",
    work="fleet",
    params={"fairness": False},
    says=(
        "Four masters (Master 0 to Master 3) decide at once, each from its own view of all machines. Each master owns "
        "some machines of every cluster; when these are busy, it borrows a machine from another master. The view may "
        "be stale, so the cluster refuses a request for a machine that is already taken.",
        "The median wait is at most 0.8 times Sparrow's, although requests on stale views are refused.",
    ),
    waits=(
        "A task waits at its master while the master's view shows no free machine, or while the master asks "
        "again after a refusal."
    ),
    number=Figure(
        "Requests refused because of a stale view",
        ("counters.inconsistencies_internal", "counters.inconsistencies_external"),
        ("counters.matches",),
        "%",
    ),
    touched=Figure("Repartitions per task", ("counters.repartitions",), ("tasks.total",), "%"),
    against=Neighbor("sparrow", Band(most=0.8), number=MEDIAN_WAIT),
    turn=Turn(
        "network.message_delay_s",
        0.005,
        0.1,
        "If messages take 100 ms instead of 5 ms, views are older, and requests are refused at least 1.5 times as "
        "often.",
        Band(least=1.5),
    ),
    opens=Opens(layer="owner", moment="first_borrow", then="first_bounce"),
    unseen="Every master finds room on its own machines here: nobody borrows.",
)
