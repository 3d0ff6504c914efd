"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path
from django.views.generic import RedirectView

from playground.arena import page as arena
from playground.catalogue import page as catalogue
from playground.claims import page as claims
from playground.classes import homework_page as homework
from playground.classes import lesson_page as lessons
from playground.classes import page as classes
from playground.experiments import fork_page
from playground.experiments import page as experiments
from playground.figures import page as figures
from playground.gallery import page as gallery
from playground.glossary import page as glossary
from playground.shell import docs
from playground.studies import compare_page
from playground.studies import page as studies
from playground.studio import components
from playground.studio import page as studio
from playground.traces import page as traces

urlpatterns = [
    path("", studio.landing, name="landing"),
    path("studio", studio.studio, name="studio"),
    path("studio/", studio.studio),
    path("studio/<str:experiment_id>", studio.studio, name="studio-experiment"),
    path("e/<str:slug>", studio.shared, name="shared"),
    path("e/<str:slug>/embed", studio.embed, name="embed"),
    path("e/<str:slug>/preview.png", experiments.preview, name="preview"),
    path("e/<str:slug>/preview-<str:kind>.png", experiments.preview),
    path("e/<str:slug>/qr.svg", experiments.qr, name="qr"),
    path("e/<str:slug>/forks", fork_page.forks, name="forks"),
    path("gallery", gallery.questions, name="gallery"),
    path("arena", arena.arena, name="arena"),
    path("arena/new", arena.new, name="challenge-new"),
    path("arena/<str:challenge_id>", arena.challenge, name="challenge"),
    path("schedulers", catalogue.schedulers, name="schedulers"),
    path("papers", claims.claims, name="papers"),
    path("papers/<str:name>", claims.paper, name="paper"),
    path("glossary", glossary.page, name="glossary"),
    path("glossary.json", glossary.terms, name="glossary-terms"),
    path("traces/<str:trace_id>", traces.trace, name="trace"),
    path("traces/<str:trace_id>/figure", figures.trace, name="trace-figure"),
    path("studies", studies.studies, name="studies"),
    path("studies/<str:study_id>", studies.study, name="study"),
    path("studies/<str:study_id>/figure", figures.study, name="study-figure"),
    path("compare/figure", figures.comparison, name="comparison-figure"),
    path("compare", compare_page.compare, name="compare"),
    path("classes", classes.classes, name="classes"),
    path("classes/<str:class_id>", classes.student, name="class"),
    path("classes/<str:class_id>/teach", classes.teach, name="class-teach"),
    path("classes/<str:class_id>/screen", classes.screen, name="class-screen"),
    path("classes/<str:class_id>/challenge", classes.challenge, name="class-challenge"),
    path("classes/<str:class_id>/qr.svg", classes.qr, name="class-qr"),
    path("homework/<str:homework_id>", homework.student, name="homework"),
    path("homework/<str:homework_id>/teach", homework.teach, name="homework-teach"),
    path("homework/<str:homework_id>/qr.svg", homework.qr, name="homework-qr"),
    path("homework/<str:homework_id>/handout", lessons.homework_handout, name="homework-handout"),
    path("classes/<str:class_id>/handout", lessons.class_handout, name="class-handout"),
    path("lessons", lessons.lessons, name="lessons"),
    path("lessons/edit", classes.lesson_editor, name="lesson-editor"),
    path("lessons/<str:name>", lessons.lesson, name="lesson"),
    path("screen", classes.screen_elsewhere, name="screen"),
    path("screen/<str:code>", classes.screen_elsewhere, name="screen-code"),
    path("join", classes.join, name="join"),
    path("join/<str:code>", classes.join, name="join-code"),
    path("experiments", experiments.experiments, name="experiments"),
    path("docs", RedirectView.as_view(url="/docs/")),
    path("docs/", docs.page, name="docs"),
    path("docs/<path:address>", docs.page),
    path("dev/components", components.components, name="components"),
]
