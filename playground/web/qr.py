"""Links as QR codes."""

from __future__ import annotations

import io

import segno


def qr_text(text: str) -> str:
    """Draw a link as a QR code of half blocks, for a terminal."""
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def qr_svg(text: str) -> bytes:
    """Draw a link as a QR code, dark on light whatever the theme: cameras expect that."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=4, border=3, dark="#14181f", light="#ffffff")
    return out.getvalue()
