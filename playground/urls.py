from __future__ import annotations

from django.urls import include, path

from playground import health
from playground.api import api

urlpatterns = [
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("api/v1/", api.urls),
    path("", include("playground.pages.urls")),
]
