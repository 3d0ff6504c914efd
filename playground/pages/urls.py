from __future__ import annotations

from django.urls import path

from playground.pages import gallery, sharing, studies, traces, views

urlpatterns = [
    path("", views.landing, name="landing"),
    path("studio", views.studio, name="studio"),
    path("studio/", views.studio),
    path("studio/<str:experiment_id>", views.studio, name="studio-experiment"),
    path("e/<str:slug>", views.shared, name="shared"),
    path("e/<str:slug>/embed", views.embed, name="embed"),
    path("e/<str:slug>/preview.png", sharing.preview, name="preview"),
    path("e/<str:slug>/preview-<str:kind>.png", sharing.preview),
    path("e/<str:slug>/qr.svg", sharing.qr, name="qr"),
    path("e/<str:slug>/forks", gallery.forks, name="forks"),
    path("gallery", gallery.questions, name="gallery"),
    path("traces/<str:trace_id>", traces.trace, name="trace"),
    path("studies", studies.studies, name="studies"),
    path("studies/<str:study_id>", studies.study, name="study"),
    path("compare", studies.compare, name="compare"),
    path("experiments", sharing.experiments, name="experiments"),
]
