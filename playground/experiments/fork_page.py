"""The page that draws the tree of forks around an experiment."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.experiments.fork_tree import Node, rows_of, tree_of
from playground.experiments.service import get_experiment_by_slug
from playground.ground.simulator import scheduler_label
from playground.ground.viewers import Viewer
from playground.web.missing import missing

LANE, HEIGHT = 18, 64


@require_safe
@never_cache
def forks(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the tree of forks around a shared experiment."""
    try:
        experiment = get_experiment_by_slug(slug=slug)
    except PlaygroundError as error:
        return missing(request, error)
    tree = tree_of(experiment=experiment, viewer=Viewer(session_key=request.session.session_key or ""))
    rows = rows_of(tree)
    here = next((row.node for row in rows if row.node.here), None)
    lanes = 1 + max((row.lane for row in rows), default=0)
    drawn = [
        {
            "node": row.node,
            "experiment": row.node.experiment,
            "url": _address(row.node),
            "scheduler": scheduler_label(row.node.experiment.data),
            "x": _x(row.lane),
            "from_x": _x(row.lane - 1),
            "through": [_x(lane) for lane in row.through],
            "row": row,
            "changes": [_shortly(change) for change in row.node.changes],
        }
        for row in rows
    ]
    context = {
        "experiment": experiment,
        "url": _address(here) if here else f"/e/{experiment.slug}",
        "rows": drawn,
        "tree": tree,
        "width": lanes * LANE,
        "height": HEIGHT,
        "middle": HEIGHT // 2,
    }
    return render(request, "forks.html", context)


def _shortly(change: str) -> str:
    """Leave out where a changed value stands, as far as its name tells enough; the whole path is in the tip."""
    path, colon, values = change.partition(": ")
    if not colon:
        return change  # an event, in words
    around, _, name = path.rpartition(".")
    *_, parent = around.rpartition(".")
    return f"{f'{parent}.' if parent.endswith(']') else ''}{name}{colon}{values}"


def _address(node: Node) -> str:
    """Return where a node is opened: one's own to change it, another's to look at it."""
    return f"/studio/{node.experiment.public_id}" if node.mine else f"/e/{node.experiment.slug}"


def _x(lane: int) -> int:
    return lane * LANE + LANE // 2
