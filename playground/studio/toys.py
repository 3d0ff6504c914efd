"""The texts of the landing page's toys. tests/core/test_toys.py checks every sentence about an effect by runs."""

from __future__ import annotations

from dataclasses import dataclass

from playground.web.words import gettext_lazy as _


@dataclass(frozen=True)
class Panel:
    """One toy: a sentence before, a question, its answer, a sentence after, and the names of the two that run."""

    name: str
    title: str
    before: str
    question: str
    right: str
    after: str
    variants: tuple[str, str]
    queue: str
    refused: bool = False
    opens: bool = False


PANELS = (
    Panel(
        name="queue",
        title=_("One queue"),
        before=_("All tasks stand in one queue. The first free machine takes the task that has waited longest."),
        question=_("With twice the machines and twice the tasks, is the mean wait shorter, the same, or longer?"),
        right="shorter",
        after=_(
            "It falls by more than half. With more machines, one of them becomes free sooner, even with twice the "
            "tasks."
        ),
        variants=(_("12 machines"), _("24 machines")),
        queue=_("Queue"),
    ),
    Panel(
        name="random",
        title=_("Pick a machine at random"),
        before=_("So far, tasks shared one queue. Now each task goes to a machine chosen at random, and waits there."),
        question=_(
            "The same tasks on the same machines: compared with one queue, is the mean wait shorter, the "
            "same, or longer?"
        ),
        right="longer",
        after=_("It is more than ten times as long. Tasks wait behind busy machines while other machines are idle."),
        variants=(_("one queue"), _("at random")),
        queue=_("Queues"),
    ),
    Panel(
        name="two",
        title=_("Ask two"),
        before=_(
            "So far, each task asked one machine. Now it asks two, chosen at random, and joins the shorter queue."
        ),
        question=_("Compared with asking one machine, is the mean wait shorter, the same, or longer?"),
        right="shorter",
        after=_("It falls by more than half. Asking just one more machine per task does this."),
        variants=(_("asking one"), _("asking two")),
        queue=_("Queues"),
    ),
    Panel(
        name="copies",
        title=_("Decide from outdated copies"),
        before=_(
            "Six schedulers share all machines. Each takes a copy of the list of free machines, decides, and "
            "requests one of them. By then, the machine may be taken."
        ),
        question=_(
            "Suppose decisions take four times as long and copies are four times as old. Is the mean wait shorter, "
            "the same, or longer?"
        ),
        right="longer",
        after=_(
            "The wait grows by more than the extra decision time. More requests hit a taken machine (red), and each "
            "refusal costs another decision."
        ),
        variants=(_("copies 0.1 s old"), _("copies 0.4 s old")),
        queue=_("Schedulers"),
        refused=True,
    ),
    Panel(
        name="masters",
        title=_("Four masters that borrow"),
        before=_(
            "Each of four schedulers (masters) owns a quarter of the machines. It knows the other masters' machines "
            "only from messages that may be outdated. When all of its own machines are taken, it borrows one of theirs."
        ),
        question=_("If no master may borrow, is the mean wait shorter, the same, or longer?"),
        right="longer",
        after=_(
            "It is more than twice as long: tasks of one master wait while machines of another are free. With "
            "borrowing, some requests are refused (red)."
        ),
        variants=(_("with borrowing"), _("without borrowing")),
        queue=_("Masters"),
        refused=True,
        opens=True,
    ),
)
