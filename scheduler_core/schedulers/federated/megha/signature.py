"""The signature of Megha."""

from __future__ import annotations

from scheduler_core.world.signature import MEDIAN_WAIT, Band, Figure, Neighbour, Opens, Signature, Turn

SIGNATURE = Signature(
    year=None,
    decides="several",
    knows="All machines, as of the last news",
    work="fleet",
    says=(
        "Each master matches tasks on its own view of all machines and borrows from others when its own are busy.",
        "Its median wait is at most 0.8 times Sparrow's, although requests on stale views are refused.",
    ),
    number=Figure(
        "Requests refused on a stale view",
        ("counters.inconsistencies_internal", "counters.inconsistencies_external"),
        ("counters.matches",),
        "%",
    ),
    touched=Figure("Repartitions a task", ("counters.repartitions",), ("tasks.total",), "%"),
    against=Neighbour("sparrow", Band(most=0.8), number=MEDIAN_WAIT),
    turn=Turn(
        "network.message_delay_s",
        0.005,
        0.1,
        "With messages of 100 ms in place of 5 ms views are older, and requests are refused at least 1.5 times as "
        "often.",
        Band(least=1.5),
    ),
    opens=Opens(layer="owner", moment="first_borrow"),
    unseen="Every master finds room on its own machines here: nobody borrows.",
)
