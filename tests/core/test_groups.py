"""Tests that share servers run in one process."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("elsewhere")
def test_tests_of_a_group_know_it(request: pytest.FixtureRequest) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("all tests run in one process")
    # A pytest that xdist does not know drops the groups without a word: each process then starts all servers.
    assert request.node.nodeid.endswith("@elsewhere")
