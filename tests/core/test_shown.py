"""A run as the output of a notebook's cell: the page is in a frame, unchanged, and may reach nothing outside."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from playground.client.calls import Calls, RunThing
from playground.client.shown import Shown

PAGE = """<!doctype html><html lang="de"><p title='x'>1 &lt; 2 & "3" ü</p><script>a && b</script>"""


class _Frame(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str | None] = {}
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found |= dict(attrs)


def test_a_cell_shows_the_page_in_a_frame_without_an_origin() -> None:
    frame = _Frame(Shown(PAGE, height=500)._repr_html_())
    assert frame.tags == ["iframe"]
    assert frame.found["srcdoc"] == PAGE
    assert "height: 500px" in (frame.found["style"] or "")
    allowed = (frame.found["sandbox"] or "").split()
    assert "allow-scripts" in allowed
    assert "allow-same-origin" not in allowed


def test_the_page_is_no_part_of_the_text_of_the_output() -> None:
    assert len(repr(Shown(PAGE * 10_000))) < 100


def test_the_page_can_be_saved(tmp_path: Path) -> None:
    assert Shown(PAGE).save(tmp_path / "run.html").read_text(encoding="utf-8") == PAGE


def test_settings_go_into_the_request_and_no_settings_do_not() -> None:
    run = RunThing(Calls(), {"id": "r1", "experiment_id": "e1"})
    assert run.show(None, 640).address == "/api/v1/runs/r1/page.html"
    asked = run.show({"scheduler.params.heartbeat_s": (1, 10)}, 640).address
    assert asked.endswith("?settings=%7B%22scheduler.params.heartbeat_s%22%3A+%5B1%2C+10%5D%7D")
