"""The gallery's page, and the tree of forks of an experiment."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.services.experiments import get_experiment_by_slug
from playground.services.fork_tree import rows_of, tree_of
from playground.services.gallery import gallery
from playground.services.sharing import scheduler_label
from playground.services.viewers import Viewer

LANE, HEIGHT = 18, 64


@require_safe
def questions(request: HttpRequest) -> HttpResponse:
    """Show the questions of the gallery."""
    return render(request, "gallery.html", {"entries": gallery()})


@require_safe
@never_cache
def forks(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the tree of forks around a shared experiment."""
    try:
        experiment = get_experiment_by_slug(slug=slug)
    except PlaygroundError as error:
        return render(request, "missing.html", {"title": error.title}, status=error.status)
    tree = tree_of(experiment=experiment, viewer=Viewer(session_key=request.session.session_key or ""))
    rows = rows_of(tree)
    lanes = 1 + max((row.lane for row in rows), default=0)
    drawn = [
        {
            "node": row.node,
            "experiment": row.node.experiment,
            "url": f"/studio/{row.node.experiment.public_id}" if row.node.mine else f"/e/{row.node.experiment.slug}",
            "scheduler": scheduler_label(row.node.experiment.data),
            "x": _x(row.lane),
            "from_x": _x(row.lane - 1),
            "through": [_x(lane) for lane in row.through],
            "row": row,
        }
        for row in rows
    ]
    context = {
        "experiment": experiment, "rows": drawn, "tree": tree, "width": lanes * LANE, "height": HEIGHT,
        "middle": HEIGHT // 2,
    }
    return render(request, "forks.html", context)


def _x(lane: int) -> int:
    return lane * LANE + LANE // 2
