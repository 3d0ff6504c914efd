"""The server's entry: HTTP to Django, WebSockets to the consumers."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

from django.core.asgi import get_asgi_application

from playground.web.inline import work_inline

work_inline()
# This call sets up Django; the imports below need it.
django_application = get_asgi_application()

from playground.web.schemas import share_response_models

share_response_models()  # before the API declares its operations

from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import re_path

from playground.classes.consumer import ClassConsumer
from playground.presentations.consumer import PresentationConsumer
from playground.previews.consumer import PreviewConsumer
from playground.runs.consumer import RunConsumer
from playground.shell.security.bodies import bound_daphne
from playground.shell.security.sockets import patient_daphne, watched
from playground.studies.consumer import StudyConsumer
from playground.web.admission import in_turn
from playground.web.socket import NoSuchSocket

bound_daphne()
patient_daphne()

application = ProtocolTypeRouter(
    {
        "http": in_turn(django_application),
        "websocket": watched(
            URLRouter(
                [
                    re_path(r"^ws/runs/(?P<run_id>[A-Za-z0-9_-]{1,64})/?$", RunConsumer.as_asgi()),
                    re_path(r"^ws/previews/(?P<place>[0-9a-f]{32})/?$", PreviewConsumer.as_asgi()),
                    re_path(r"^ws/studies/(?P<study_id>[A-Za-z0-9_-]{1,64})/?$", StudyConsumer.as_asgi()),
                    re_path(r"^ws/presentations/(?P<slug>[A-Za-z0-9]{1,16})/?$", PresentationConsumer.as_asgi()),
                    re_path(r"^ws/classes/(?P<class_id>[A-Za-z0-9_-]{1,64})/?$", ClassConsumer.as_asgi()),
                    re_path(r"", NoSuchSocket.as_asgi()),
                ]
            )
        ),
    }
)
