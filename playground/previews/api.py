from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from playground.previews import service as previews
from playground.previews.schemas import PreviewOut
from playground.web.access import base_url, read_body, viewer_of
from playground.web.rates import refuse_previews_too_often
from playground.web.schemas import EXPERIMENT_BODY
from scheduler_core.contract import HttpProblem

router = Router(tags=["previews"])


@router.post("/previews", response={202: PreviewOut, 422: HttpProblem, 503: HttpProblem}, openapi_extra=EXPERIMENT_BODY)
def ask(request: HttpRequest) -> Any:
    """Run the beginning of an experiment as a preview. The result comes over the viewer's socket.

    Nothing is stored. A new preview replaces one that is not answered yet. The answer to this request has the address
    of the socket, which is the same for all previews of a viewer, and the number of the preview. The messages of the
    socket carry this number as `preview`; the contract describes them (`preview-socket`).
    """
    body = read_body(request)
    viewer = viewer_of(request, make_session=True)
    refuse_previews_too_often(previews.place_of(viewer))
    return Status(202, previews.ask_preview(data=body, viewer=viewer, base_url=base_url(request)))
