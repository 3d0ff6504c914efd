from __future__ import annotations

from django.conf import settings
from django.urls import include, path

from playground import health
from playground.api import api
from playground.security import metrics

urlpatterns = [
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("api/v1/", api.urls),
    path("", include("playground.pages.urls")),
]

if settings.METRICS:
    metrics.register()
    urlpatterns.append(path("", include("django_prometheus.urls")))
