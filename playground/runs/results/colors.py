"""The map's colors for pictures that the server draws: those of static/js/kit/palette.js, which a test compares."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

#: (hue, chroma) in OKLCH of the eight owners, then of nobody.
HUES = (
    (255, 0.15), (55, 0.15), (165, 0.12), (330, 0.15), (95, 0.14), (215, 0.11), (25, 0.17), (290, 0.15), (250, 0.02),
)  # fmt: skip
Floats = npt.NDArray[np.float64]


@functools.cache
def shades(dark: bool) -> npt.NDArray[np.uint8]:
    """Return colors by hue (0..8) and level (0..255): uint8 of shape (9, 256, 3)."""
    level = np.arange(256) / 255
    eased = np.where(level == 0, 0.0, 0.18 + 0.82 * level)
    rows = []
    for hue, chroma in HUES:
        if dark:
            rows.append(_oklch(0.27 + 0.43 * eased, chroma * (0.3 + 0.7 * eased), hue))
        else:
            rows.append(_oklch(0.935 - 0.345 * eased, chroma * (0.16 + 0.94 * eased), hue))
    return np.stack(rows)


@functools.cache
def level_shades(dark: bool) -> npt.NDArray[np.uint8]:
    """Return the one sequential scale for a level shown alone: uint8 of shape (256, 3)."""
    level = np.arange(256) / 255
    eased = np.where(level == 0, 0.0, 0.1 + 0.9 * level)
    if dark:
        return _oklch(0.27 + 0.6 * eased, 0.02 + 0.12 * eased, 235 - 150 * eased)
    return _oklch(0.945 - 0.5 * eased, 0.01 + 0.12 * eased, 90 + 165 * eased)


def _oklch(lightness: Floats, chroma: Floats, hue: float | Floats) -> npt.NDArray[np.uint8]:
    angle = np.deg2rad(hue)
    a, b = chroma * np.cos(angle), chroma * np.sin(angle)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
    linear = np.stack(
        [
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
        ],
        axis=-1,
    ).clip(0, 1)
    coded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.floor(255 * coded + 0.5).astype(np.uint8)
