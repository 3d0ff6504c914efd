"""Draw the figure that a request names, with caption and citation, for figures' addresses and printed sheets."""

from __future__ import annotations

from playground.experiments.service import keep_shown
from playground.figures.keeping import keep_runs
from playground.figures.look import Look
from playground.figures.schemas import ComparisonIn, StudyIn
from playground.figures.sources import Published, figure_of_runs, figure_of_study
from playground.figures.studies import Asked
from playground.studies.service import get_study


def published_study(*, study_id: str, asked: StudyIn, look: Look, base_url: str, issued: bool = False) -> Published:
    """Draw a study. The experiment of an `issued` figure, which a user takes along, is kept. Raises PlaygroundError."""
    study = get_study(public_id=study_id)
    drawn = figure_of_study(
        study=study,
        metric=asked.metric,
        statistic=asked.statistic,
        against=asked.against,
        asked=Asked(
            show=asked.show,
            shown=asked.shown,
            x=asked.x,
            lines=asked.lines,
            unit=asked.unit,
            x_unit=asked.x_unit,
        ),
        seeds=asked.seeds,
        look=look,
        base_url=base_url,
    )
    if issued:
        keep_shown([study.experiment])
    return drawn


def published_runs(*, asked: ComparisonIn, look: Look, base_url: str, issued: bool = False) -> Published:
    """Draw one to eight runs; `issued` is as for a study. Raises PlaygroundError."""
    drawn = figure_of_runs(run_ids=asked.run_ids, kind=asked.kind, series=asked.series, look=look, base_url=base_url)
    if issued:
        keep_runs(asked.run_ids)
    return drawn
