"""Chromium and Firefox run each event loop from its module, and end with the native run's arrays and digest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numba
import pytest
from playwright.sync_api import Browser

from scheduler_core.engine.wasm import packed
from tests.core.engines import assert_equal_by, of_module
from tests.core.in_javascript import InJavaScript, page_engine
from tests.firefox import MISSING, executable, running
from tests.tiers import wide

pytestmark = [
    pytest.mark.browser,
    wide,
    pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled"),  # type: ignore[attr-defined]
]
each_module = pytest.mark.parametrize("kernel", sorted(packed.manifest()))


@pytest.fixture(scope="module")
def in_chromium(chromium: Browser) -> Iterator[InJavaScript]:
    page = chromium.new_page()

    def call(function: str, *texts: str) -> Any:
        return page.evaluate(f"(texts) => ({function})(...texts)", list(texts))

    yield page_engine(call)
    page.close()


@pytest.fixture(scope="module")
def in_firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InJavaScript]:
    folder = tmp_path_factory.mktemp("firefox")
    # The page that Firefox opens with forbids WebAssembly.
    (folder / "page.html").write_text("<!doctype html><title>Event loops</title>")
    with running(folder) as firefox:
        firefox.open((folder / "page.html").as_uri())
        call: Callable[..., Any] = firefox.call
        yield page_engine(call)


@pytest.mark.xdist_group("event loops in Chromium")
@each_module
def test_a_run_in_chromium_ends_with_the_native_run_s_arrays(kernel: str, in_chromium: InJavaScript) -> None:
    assert_equal_by(of_module(kernel), {"Chromium": in_chromium})


@pytest.mark.skipif(executable() is None, reason=MISSING)
@pytest.mark.xdist_group("event loops in Firefox")
@each_module
def test_a_run_in_firefox_ends_with_the_native_run_s_arrays(kernel: str, in_firefox: InJavaScript) -> None:
    assert_equal_by(of_module(kernel), {"Firefox": in_firefox})
