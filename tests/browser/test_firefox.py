"""A stock Firefox opens an exported page from a disk, and the page computes the server's digest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.browser.looking import small_experiment
from tests.firefox import MISSING, Firefox, executable, running
from tests.support import wait_until
from tests.support_api import Api
from tests.tiers import shares, wide

pytestmark = [
    pytest.mark.browser,
    shares("playground"),
    wide,
    pytest.mark.skipif(executable() is None, reason=MISSING),
]


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with running(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.mark.parametrize("name", ["sparrow", "megha"])
def test_an_exported_page_computes_the_server_s_digest_in_firefox(
    firefox: Firefox, live_playground: str, tmp_path: Path, name: str
) -> None:
    """It steps and loads nothing, its policy refuses nothing that it does, and no script reports an error."""
    api = Api(live_playground)
    run = api.wait(api.start(small_experiment(scheduler={"name": name}))["id"])
    cited = api.call("GET", f"/api/v1/runs/{run['id']}/summary").json["outcome_digest"]
    exported = api.call("GET", f"/api/v1/runs/{run['id']}/page.html")
    assert exported.status == 200, exported.body
    path = tmp_path / "run.html"
    path.write_bytes(exported.body)
    firefox.requests.clear()

    firefox.open(path.as_uri())
    firefox.wait_for("[data-here]:is([data-here=same], [data-here=different], [data-here=failed], [data-here=none])")
    assert firefox.call("() => document.querySelector('[data-here]').dataset.here") == "same"
    assert firefox.text("[data-here-digest]") == cited

    firefox.click("[data-play=toggle]")
    firefox.wait_for("[data-play=toggle][data-shape=play]")
    for way in ("forward", "back"):
        # A step is drawn once the page has the frame, which may be after the next painting.
        before = firefox.text("[data-play=clock]")
        firefox.click(f"[data-play={way}]")
        wait_until(partial(_moved, firefox, before), what=f"the clock did not move {way} from {before}")
    assert firefox.errors == []
    assert [each for each in firefox.requests if not each.startswith(("file:", "blob:", "data:"))] == []


def _moved(firefox: Firefox, before: str) -> bool:
    return firefox.text("[data-play=clock]") != before
