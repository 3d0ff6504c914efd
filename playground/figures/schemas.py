"""What requests for figures say, and what they are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from playground.studies.results import DEFAULT_METRIC

if TYPE_CHECKING:
    from playground.figures.look import Look

_Millimetres = Annotated[float | None, Field(ge=30, le=400, allow_inf_nan=False)]
#: A figure on a sheet of paper, as the pages save it: two columns wide.
ON_PAPER: dict[str, Any] = {"width_mm": 170.0, "font": "sans", "font_pt": 9.0}


class LookIn(Schema):
    """How a figure is to look. With `width_mm` it has that size on paper, else it fills its place on a screen."""

    theme: Literal["light", "dark"] = "light"
    width_mm: _Millimetres = None
    height_mm: _Millimetres = None
    font: Literal["screen", "sans", "serif"] = "screen"
    font_pt: Annotated[float | None, Field(ge=4, le=24, allow_inf_nan=False)] = None

    def look(self) -> Look:
        """Return the look."""
        from playground.figures.look import Look

        return Look(**self.dict(include={"theme", "width_mm", "height_mm", "font", "font_pt"}))

    def look_on_paper(self) -> Look:
        """Return the look of a file that needs a size: what is not asked for is as the pages save figures."""
        from playground.figures.look import Look

        asked = self.dict(include={"theme", "width_mm", "height_mm", "font", "font_pt"}, exclude_unset=True)
        return Look(**ON_PAPER | {name: value for name, value in asked.items() if value is not None})


class ClaimIn(Schema):
    again: Annotated[bool, Field(description="draw this server's newest run of the claim over the figure")] = False


class StudyIn(Schema):
    metric: str = DEFAULT_METRIC
    statistic: Literal["mean", "median", "bootstrap"] = "mean"
    against: Annotated[int, Field(ge=0, le=100)] = 0
    show: Literal["values", "difference", "ratio"] = "values"
    shown: Annotated[int, Field(ge=0, le=100, description="the scheduler of a heat map")] = 0
    x: Annotated[int, Field(ge=0, le=1, description="which of two parameters runs along the horizontal axis")] = 0
    lines: Annotated[bool, Field(description="draw two parameters as lines, not as a heat map")] = False
    seeds: Annotated[bool, Field(description="draw each seed as a light line")] = False


class ComparisonIn(Schema):
    runs: Annotated[str, Field(min_length=1, max_length=200, description="one to four run ids, separated by commas")]
    kind: Literal["waits", "jobs", "percentiles", "timeline", "pairs"] = "waits"
    series: Annotated[str, Field(max_length=100, description="of a timeline: a series of the recording")] = ""

    @property
    def run_ids(self) -> list[str]:
        return [run_id.strip() for run_id in self.runs.split(",") if run_id.strip()]


class TraceIn(Schema):
    kind: Literal["tasks_per_job", "duration_s", "gap_s", "stages_per_job", "critical_path_s", "running", "tasks"] = (
        "duration_s"
    )
    cutoff_s: Annotated[
        float | None,
        Field(
            gt=0, le=1e8, allow_inf_nan=False, description="draw a fit over it; jobs count as long from this duration"
        ),
    ] = None


class ClaimFigureIn(ClaimIn, LookIn):
    """A claim's figure and how it is to look."""


class StudyFigureIn(StudyIn, LookIn):
    """A study's figure and how it is to look."""


class ComparisonFigureIn(ComparisonIn, LookIn):
    """A figure of runs and how it is to look."""


class TraceFigureIn(TraceIn, LookIn):
    """A trace's figure and how it is to look."""


class PlotlyOut(Schema):
    """A figure as plotly.js and plotly.py take it."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


class FigureOut(Schema):
    figure: PlotlyOut
    title: str
    caption: str
    bibtex: str
