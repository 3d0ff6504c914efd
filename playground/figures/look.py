"""The look of a figure: its theme, its size on paper, and its font size."""

from __future__ import annotations

from dataclasses import dataclass

from playground.figures.tokens import Theme, tokens

PX_PER_MM = 96 / 25.4
PX_PER_PT = 96 / 72
SCREEN_PX = 12
PAPER_PT = 8.0
#: Families for paper; `screen` is the design's own.
FONTS = {
    "sans": "Helvetica, Arial, 'Liberation Sans', sans-serif",
    "serif": "'Times New Roman', Times, 'Liberation Serif', serif",
}


@dataclass(frozen=True)
class Look:
    """A figure's look. Without `width_mm` the figure fills its place on the screen."""

    theme: Theme = "light"
    width_mm: float | None = None
    height_mm: float | None = None
    font: str = "screen"
    font_pt: float | None = None

    @property
    def on_paper(self) -> bool:
        """Whether the figure has a size of its own."""
        return self.width_mm is not None

    @property
    def width_px(self) -> float:
        """The width in CSS pixels; of a screen's figure, a common one."""
        return self.width_mm * PX_PER_MM if self.width_mm is not None else 760.0

    @property
    def height_px(self) -> float:
        """The height in CSS pixels; on paper five eighths of the width unless it is set."""
        return self.height_mm * PX_PER_MM if self.height_mm is not None else self.width_px * 0.625

    @property
    def family(self) -> str:
        """The font family, as CSS names it."""
        return FONTS.get(self.font) or tokens(self.theme)["font"]

    @property
    def size_px(self) -> float:
        """The size of axis and legend text in CSS pixels."""
        if self.font_pt is not None:
            return self.font_pt * PX_PER_PT
        return PAPER_PT * PX_PER_PT if self.on_paper else SCREEN_PX
