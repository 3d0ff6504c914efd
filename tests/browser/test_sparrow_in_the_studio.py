"""Sparrow's own knobs and layer, as declared: a switch for late binding, and queues told as numbers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import first_cell, open_small_studio

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]


def test_binding_is_a_switch_and_a_queue_is_told_as_a_number(page: Page) -> None:
    open_small_studio(page, scheduler={"name": "sparrow", "params": {"late_binding": False}})
    knob = page.locator(".knob[data-path='scheduler.params.late_binding'] .knob-switch")
    expect(knob).to_be_attached()
    expect(knob).not_to_be_checked()
    page.mouse.click(*first_cell(page))
    rows = page.locator(".inspector-rows")
    expect(rows).to_contain_text(re.compile(r"Queue length\s*\d+( or more)? waiting"))
    expect(rows).to_contain_text(re.compile(r"Load\s*\d+(\.\d+)?\s%"))
