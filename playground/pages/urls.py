from __future__ import annotations

from django.urls import path

from playground.pages import views

urlpatterns = [
    path("", views.landing, name="landing"),
    path("studio", views.studio, name="studio"),
    path("studio/", views.studio),
    path("studio/<str:experiment_id>", views.studio, name="studio-experiment"),
    path("e/<str:slug>", views.shared, name="shared"),
    path("e/<str:slug>/embed", views.embed, name="embed"),
]
