"""A cluster of one's own in a real browser: dropped files, what was found, the run, and an answered question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from scheduler_core.inventory.names import Names, owner_key
from tests.browser.looking import COMPUTED_MS, open_small_studio, wait_until_computed
from tests.support import PROJECT, planted

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.xdist_group("second playground")]

SAMPLES = PROJECT / "fixtures" / "clusters"
NAMESPACES = sorted(
    {
        it["metadata"]["namespace"]
        for it in json.loads((SAMPLES / "kubernetes.json").read_text())["items"]
        if it["kind"] == "Pod"
    }
)
SLURM = ["sacct.txt", "scontrol-nodes.txt", "scontrol-partitions.txt"]


def give(page: Page, names: list[str]) -> None:
    """Give sample files to the studio, as its file dialog does."""
    page.locator("[data-trace-file]").set_input_files([SAMPLES / name for name in names])


def answer(page: Page, names: list[str], bound: str, look: Callable[[str], object]) -> str:
    """Walk from files to an answered question; return the answer. `look` is called where a person looks."""
    open_small_studio(page)
    give(page, names)
    page.wait_for_url(re.compile("/traces/"))
    expect(page.locator(".cluster-charts")).to_be_visible()
    look("found")
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile("/studio/"))
    wait_until_computed(page)
    look("studio")
    page.locator("[data-ask-open]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[data-ask=bound]").fill(bound)
    dialog.locator("[data-ask=seeds]").fill("2")
    look("question")
    dialog.locator("[type=submit]").click()
    told = dialog.locator("[data-ask-answer]")
    expect(told).to_contain_text(re.compile(r"\d+ machines"), timeout=COMPUTED_MS)
    look("answer")
    return told.inner_text()


@pytest.mark.parametrize(("names", "bound", "machines"), [(SLURM, "7200", 24), (["kubernetes.json"], "5", 24)])
def test_a_sample_goes_from_dropped_files_to_an_answered_question(
    page: Page, names: list[str], bound: str, machines: int
) -> None:
    seen: dict[str, str] = {}
    sent: list[bytes] = []
    page.on("request", lambda request: sent.append(request.post_data_buffer or b""))
    told = answer(page, names, bound, lambda place: seen.setdefault(place, page.locator("body").inner_text()))
    assert re.search(r"\d+ machines", told)
    assert str(machines) in seen["found"]
    everything = b"".join(sent)
    assert planted(everything, (b"user0", b"group0", b"n[000", b"node-0001", b"team-", names[0].encode())) == []


def test_the_owner_saves_the_key_looks_a_name_up_and_uses_the_key_elsewhere(page: Page, tmp_path: Path) -> None:
    open_small_studio(page)
    give(page, ["kubernetes.json"])
    page.wait_for_url(re.compile("/traces/"))
    page.locator(".names-part summary").click()
    with page.expect_download() as saved:
        page.locator("[data-save-key]").click()
    # The command line reads the file, and gives a name the pseudonym that it has on this page.
    names = Names(owner_key(Path(saved.value.path())))
    page.locator("[data-look-name]").fill("node-0003")
    expect(page.locator("[data-pseudonyms]")).to_contain_text(names.of("node", "node-0003"))
    cluster = page.request.get(f"/api/v1/traces/{page.url.rsplit('/', 1)[1]}").json()["cluster"]
    queues = {one["name"] for one in cluster["experiment"]["queues"]}
    assert queues == {names.of("ns", name) for name in NAMESPACES}

    wrong = tmp_path / "wrong"
    wrong.write_text("0123")
    page.locator("[data-use-key]").set_input_files(wrong)
    expect(page.locator("[data-key-said]")).to_have_class(re.compile("is-wrong"))
    other = tmp_path / "other"
    other.write_text("ab" * 32 + "\n")
    page.locator("[data-use-key]").set_input_files(other)
    expect(page.locator("[data-key-said]")).not_to_have_class(re.compile("is-wrong"))
    page.locator("[data-look-name]").fill("node-0003 ")
    expect(page.locator("[data-pseudonyms]")).to_contain_text(Names(b"\xab" * 32).of("node", "node-0003"))


def test_a_csv_of_machine_types_opens_an_experiment_and_sends_no_file(page: Page) -> None:
    open_small_studio(page)
    uploads: list[str] = []
    page.on("request", lambda request: uploads.append(request.url) if "/uploads" in request.url else None)
    before = page.url.split("?")[0]  # the instant in the address changes while the run plays
    give(page, ["machines.csv"])
    page.wait_for_url(lambda url: "/studio/" in url and url.split("?")[0] != before)
    wait_until_computed(page)
    made = page.request.get(f"/api/v1/experiments/{page.url.split('?')[0].rsplit('/', 1)[1]}").json()
    topology = made["experiment"]["topology"]
    assert [sum(group["count"] for group in each["machines"]) for each in topology["clusters"]] == [50, 4]
    assert uploads == []


def test_a_scheduler_configuration_sets_the_parameters_and_is_exported(page: Page, tmp_path: Path) -> None:
    config = tmp_path / "scheduler.yaml"
    config.write_text(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
        "percentageOfNodesToScore: 40\nextenders: []\n"
    )
    open_small_studio(page)
    page.locator("[data-trace-file]").set_input_files([config])
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("[data-configured]")).to_contain_text("Kubernetes")
    expect(dialog.locator("[data-left-out]")).to_contain_text("extenders")
    dialog.locator("[data-close-dialog]").click()
    with page.expect_download() as saved:
        page.locator("[data-export-configuration]").click()
    written = yaml.safe_load(saved.value.path().read_text())
    assert (written["kind"], written["percentageOfNodesToScore"]) == ("KubeSchedulerConfiguration", 40)
