from __future__ import annotations

from django.conf import settings
from django.urls import include, path

from playground.shell import health
from playground.shell.api import api
from playground.shell.security import metrics

urlpatterns = [
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("api/v1/", api.urls),
    path("", include("playground.shell.pages")),
]

if settings.METRICS:
    metrics.register()
    urlpatterns.append(path("", include("django_prometheus.urls")))
