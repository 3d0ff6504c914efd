"""HTTP schemas of requests for figures and their responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from playground.figures.words import TimeUnit
from playground.studies.results import DEFAULT_METRIC
from playground.web.schemas import Shape

if TYPE_CHECKING:
    from playground.figures.look import Look

_Millimeters = Annotated[float | None, Field(ge=30, le=400, allow_inf_nan=False)]
#: A figure on a sheet of paper, as the pages save it: two columns wide.
ON_PAPER: dict[str, Any] = {"width_mm": 170.0, "font": "sans", "font_pt": 9.0}


class LookIn(Shape):
    """How a figure is to look. With `width_mm` it has that size on paper, else it fills its place on a screen."""

    theme: Literal["light", "dark"] = "light"
    """Colors for a light or a dark page."""
    width_mm: _Millimeters = None
    """The width of the figure, in millimeters."""
    height_mm: _Millimeters = None
    """The height of the figure, in millimeters; by default five eighths of the width."""
    font: Literal["screen", "sans", "serif"] = "screen"
    """The typeface: of the screen, or for print."""
    font_pt: Annotated[float | None, Field(ge=4, le=24, allow_inf_nan=False)] = None
    """The size of the typeface, in points."""

    def look(self) -> Look:
        """Return the look."""
        from playground.figures.look import Look

        return Look(**self.dict(include={"theme", "width_mm", "height_mm", "font", "font_pt"}))

    def look_on_paper(self) -> Look:
        """Return the look of a file that needs a size: what is not asked for is as the pages save figures."""
        from playground.figures.look import Look

        asked = self.dict(include={"theme", "width_mm", "height_mm", "font", "font_pt"}, exclude_unset=True)
        return Look(**ON_PAPER | {name: value for name, value in asked.items() if value is not None})


class StudyIn(Shape):
    """A study's figure."""

    metric: str = DEFAULT_METRIC
    """The measured number, by its name in the table of metrics."""
    statistic: Literal["mean", "median", "bootstrap"] = "mean"
    """How an estimate and its interval are made from the replicates."""
    against: Annotated[int, Field(ge=0, le=100)] = 0
    """The place of the scheduler to compare with, counted from 0 in the order of the study."""
    show: Literal["values", "difference", "ratio"] = "values"
    """Values of each scheduler, or differences from or ratios to the one of `against`."""
    shown: Annotated[int, Field(ge=0, le=100)] = 0
    """The place of the scheduler of a heat map, counted from 0 in the order of the study."""
    x: Annotated[int, Field(ge=0, le=1)] = 0
    """Which of two parameters runs along the horizontal axis: 0 or 1."""
    lines: bool = False
    """Draw two parameters as lines, not as a heat map."""
    seeds: bool = False
    """Draw each seed as a light line."""
    unit: TimeUnit = "auto"
    """The unit of the measure, where it is a time: `auto` writes each tick in the unit that fits it."""
    x_unit: TimeUnit = "auto"
    """The unit of the parameter along the horizontal axis, where it is a time."""


class ComparisonIn(Shape):
    """A figure of runs."""

    runs: Annotated[str, Field(min_length=1, max_length=200)]
    """One to eight run ids, separated by commas."""
    kind: Literal["waits", "jobs", "percentiles", "timeline", "pairs"] = "waits"
    """Which figure to draw."""
    series: Annotated[str, Field(max_length=100)] = ""
    """The name of a series in meta, for a timeline."""

    @property
    def run_ids(self) -> list[str]:
        return [run_id.strip() for run_id in self.runs.split(",") if run_id.strip()]


class TraceIn(Shape):
    """A trace's figure."""

    kind: Literal["tasks_per_job", "duration_s", "gap_s", "stages_per_job", "critical_path_s", "running", "tasks"] = (
        "duration_s"
    )
    """Which figure to draw."""
    cutoff_s: Annotated[float | None, Field(gt=0, le=1e8, allow_inf_nan=False)] = None
    """Also draw a fitted workload; a job whose mean task duration is at least this number of seconds counts as long."""


class StudyFigureIn(StudyIn, LookIn):
    """A study's figure and how it is to look."""


class ComparisonFigureIn(ComparisonIn, LookIn):
    """A figure of runs and how it is to look."""


class TraceFigureIn(TraceIn, LookIn):
    """A trace's figure and how it is to look."""


class PlotlyOut(Shape):
    """A figure as plotly.js and plotly.py take it."""

    data: list[dict[str, Any]]
    """The traces of the figure, as Plotly names them."""
    layout: dict[str, Any]
    """The layout of the figure."""


class FigureOut(Shape):
    """A figure with what a paper needs beside it."""

    figure: PlotlyOut
    """The figure itself."""
    title: str
    """What the figure is of, in a few words."""
    caption: str
    """The caption: what the figure shows and what it was made of, in sentences."""
    bibtex: str
    """A BibTeX entry for the figure, with the version of the software and digests."""
