"""Traces of every format from upload to a run, mappings, parts, statistics and fits, in a real browser."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from scheduler_core import TRACE_READERS, RawWork, read_trace, write_trace
from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, open_small_studio, wait_until_computed
from tests.support import PROJECT
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, pytest.mark.redis, shares("playground")]

JOBS = 40
KNOWN_FORMATS = (
    "sparrow", "swf", "gwf", "google-2019", "alibaba-2018-tasks", "alibaba-2018-instances", "wta", "columnar",
)  # fmt: skip


def sparrow() -> bytes:
    return gzip.compress("".join(f"{at}.0 2 3.0 2.0 4.0\n" for at in range(JOBS)).encode())


def swf() -> bytes:
    rows = "".join(f"{at + 1} {at} 0 3 2 -1 -1 2 -1 -1 1{' -1' * 7}\n" for at in range(JOBS))
    return f"; Version: 2.2\n; Computer: none\n{rows}".encode()


def gwf() -> bytes:
    rows = "".join(f"{at + 1}\t{1136070024 + at}\t0\t3\t2{chr(9)}{chr(9).join(['-1'] * 24)}\n" for at in range(JOBS))
    return f"# JobID SubmitTime WaitTime RunTime NProcs\n{rows}".encode()


def google_2011() -> bytes:
    tail = ",user,2,9,0.1,0.02,0.001,0\n"
    rows = [
        f"{600_000_000 + at * 1_000_000 + since},,{at},{task},,{kind}{tail}"
        for at in range(JOBS)
        for task in (0, 1)
        for kind, since in ((0, 0), (1, 1), (4, 3_000_001))
    ]
    return gzip.compress("".join(rows).encode())


def google_2019() -> bytes:
    rows = [
        json.dumps(
            {"time": str(at * 1_000_000 + since), "type": kind, "collection_id": str(at), "instance_index": task}
        )
        for at in range(1, JOBS + 1)
        for task in (0, 1)
        for kind, since in ((0, 0), (3, 1), (6, 3_000_001))
    ]
    return "\n".join(rows).encode()


def alibaba_tasks() -> bytes:
    return "".join(f"M1,2,j_{at},1,Terminated,{at},{at + 3},100.0,0.2\n" for at in range(1, JOBS + 1)).encode()


def alibaba_instances() -> bytes:
    return "".join(
        f"ins_{at}{task},M1,j_{at},1,Terminated,{at},{at + 3},m_1,1,1,0.1,0.2,0.02,0.02\n"
        for at in range(1, JOBS + 1)
        for task in (0, 1)
    ).encode()


def wta() -> bytes:
    rows = [(at, at * 1000) for at in range(JOBS) for _ in (0, 1)]
    columns = {
        "workflow_id": [at for at, _ in rows],
        "ts_submit": [time for _, time in rows],
        "runtime": [3000] * len(rows),
        "resource_amount_requested": [1.0] * len(rows),
        "parents": [[] for _ in rows],
    }
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def graph_of_workflows() -> bytes:
    rows = "".join(f"{at}, 1, {at}, 3, 1, 1, \n{at}, 2, {at}, 2, 1, 1, 1\n" for at in range(JOBS))
    return f"WorkflowID, JobID, SubmitTime, RunTime, NProcs, ReqNProcs, Dependencies\n{rows}".encode()


def graph_of_wta() -> bytes:
    columns = {
        "workflow_id": [at for at in range(JOBS) for _ in (0, 1)],
        "id": [1, 2] * JOBS,
        "ts_submit": [at * 1000 for at in range(JOBS) for _ in (0, 1)],
        "runtime": [3000, 2000] * JOBS,
        "resource_amount_requested": [1.0] * 2 * JOBS,
        "parents": [[], [1]] * JOBS,
    }
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def graph_of_tasks() -> bytes:
    rows = (
        f"{name},1,j_{at},1,Terminated,{at},{at + runs},100.0,0.2\n"
        for at in range(1, JOBS + 1)
        for name, runs in (("M1", 3), ("R2_1", 2))
    )
    return "".join(rows).encode()


def graph_of_instances() -> bytes:
    rows = (
        f"ins_{at}{name},{name},j_{at},1,Terminated,{at},{at + runs},m_1,1,1,0.1,0.2,0.02,0.02\n"
        for at in range(1, JOBS + 1)
        for name, runs in (("M1", 3), ("R2_1", 2))
    )
    return "".join(rows).encode()


GRAPHS: dict[str, Callable[[], bytes]] = {
    "gwf": graph_of_workflows, "wta": graph_of_wta, "alibaba-2018-tasks": graph_of_tasks,
    "alibaba-2018-instances": graph_of_instances,
}  # fmt: skip


def table() -> bytes:
    rows = (f"{at * 1000};3;a{at}\n" * 2 for at in range(JOBS))
    return ("when_ms;took;app\n" + "".join(rows)).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "sparrow": sparrow, "swf": swf, "gwf": gwf, "google-2011": google_2011, "google-2019": google_2019,
    "alibaba-2018-tasks": alibaba_tasks, "alibaba-2018-instances": alibaba_instances, "wta": wta, "table": table,
}  # fmt: skip


def contents(name: str, folder: Path) -> bytes:
    if name != "columnar":
        return FILES[name]()
    (folder / "source").write_bytes(swf())
    work: RawWork = read_trace(folder / "source", None)
    write_trace(work, folder / "own")
    return (folder / "own").read_bytes()


def choose_file(page: Page, data: bytes, name: str = "work") -> None:
    page.locator("[data-trace-file]").set_input_files({"name": name, "mimeType": "", "buffer": data})


def expect_to_run(page: Page) -> None:
    expect(page.locator("[data-trace-words]")).to_contain_text("40 jobs, 80 tasks", timeout=COMPUTED_MS)
    page.wait_for_function("() => location.pathname.startsWith('/studio/')")
    wait_until_computed(page)
    run = page.evaluate("""async () => {
      const id = location.pathname.split('/').pop();
      const found = await (await fetch(`/api/v1/experiments/${id}`)).json();
      const summary = await (await fetch(`/api/v1/runs/${found.runs.at(-1).id}/summary`)).json();
      return [found.experiment.workload.kind, summary.tasks.completed];
    }""")
    assert run == ["trace", 80]


def test_every_format_of_traces_has_a_test() -> None:
    """Those of a mapping, of tables beside the file and of clusters have tests of their own."""
    assert {*KNOWN_FORMATS, "table", "google-2011", "cluster"} == {reader.name for reader in TRACE_READERS}


@pytest.mark.parametrize("name", KNOWN_FORMATS)
def test_a_trace_of_each_format_goes_from_upload_to_a_run(page: Page, tmp_path: Path, name: str) -> None:
    open_small_studio(page)
    choose_file(page, contents(name, tmp_path), f"{name}.trace")
    expect_to_run(page)
    stored = page.evaluate("async () => (await (await fetch('/api/v1/traces')).json())[0].format")
    assert stored == name


def test_what_kubectl_printed_is_stored_as_a_cluster(page: Page) -> None:
    open_small_studio(page)
    choose_file(page, (PROJECT / "fixtures" / "clusters" / "kubernetes.json").read_bytes(), "cluster.json")
    page.wait_for_function(
        "async () => (await (await fetch('/api/v1/traces')).json())[0]?.format === 'cluster'", timeout=COMPUTED_MS
    )


def scheduled(page: Page) -> tuple[str, str | None, bool]:
    """The scheduler of the newest run, what its experiment says of graphs, and whether second stages waited."""
    return tuple(
        page.evaluate("""async () => {
      const id = location.pathname.split('/').pop();
      const found = await (await fetch(`/api/v1/experiments/${id}`)).json();
      const table = await (await fetch(`/api/v1/runs/${found.runs.at(-1).id}/tasks.csv`)).text();
      const [head, ...rows] = table.replaceAll('"', '').trim().split('\\n').map((line) => line.trim().split(','));
      const of = (name) => rows.map((row) => Number(row[head.indexOf(name)]));
      const [job, start, end] = [of('job'), of('first_start_ns'), of('end_ns')];
      const waited = rows.every((_, row) => row % 2 === 0 || (job[row] === job[row - 1] && start[row] >= end[row - 1]));
      return [found.experiment.scheduler.name, found.experiment.workload.graphs ?? null, waited];
    }""")
    )


@pytest.mark.parametrize("name", GRAPHS)
def test_a_trace_of_graphs_goes_from_upload_to_a_run_that_honors_them(page: Page, name: str) -> None:
    """A scheduler that does not honor graphs gets the trace without them and says so; one click has stages wait."""
    open_small_studio(page)
    choose_file(page, GRAPHS[name](), f"{name}.trace")
    expect_to_run(page)
    told = "40 of its jobs are graphs: 80 stages, 40 edges. Megha does not simulate stages that wait for one another."
    expect(page.locator("[data-trace-graphs]")).to_contain_text(told)
    assert scheduled(page) == ("megha", "drop", False)
    page.locator("[data-honour-graphs]").click()
    expect(page.locator("[data-honour-graphs]")).to_have_count(0)
    page.wait_for_function(
        """async () => {
      const found = await (await fetch(`/api/v1/experiments/${location.pathname.split('/').pop()}`)).json();
      return found.experiment.scheduler.name === 'carbyne' && found.runs.at(-1)?.state === 'done';
    }""",
        polling=500,
        timeout=COMPUTED_MS,
    )
    wait_until_computed(page)
    assert scheduled(page) == ("carbyne", "keep", True)


def test_graphs_under_a_scheduler_that_does_not_honor_them_say_what_to_do(page: Page, complaints: Complaints) -> None:
    complaints.expected = ["422"]
    open_small_studio(page)
    choose_file(page, graph_of_wta(), "tasks.parquet")
    expect_to_run(page)
    choice = page.locator("select[data-path='workload.graphs']")
    choice.select_option("keep")
    told = page.locator(".trace-graphs .knob-problem")
    expect(told).to_contain_text("the trace has jobs that are graphs, which the scheduler 'megha' does not support")
    expect(told).to_contain_text("Set `graphs` to 'drop'")
    choice.select_option("drop")
    expect(told).to_be_hidden()
    page.locator("[data-trace-statistics]").click()
    page.wait_for_url("**/traces/*")
    expect(page.locator("[data-trace-facts]")).to_contain_text("40 of its jobs are graphs", timeout=COMPUTED_MS)
    expect(page.locator(".trace-counts")).to_contain_text("Edges between stages")
    expect(page.locator("[data-figure=critical_path_s]")).to_be_visible()
    expect(page.locator(".trace-table-place")).to_contain_text("Depth")
    page.locator("[data-fit]").click()
    said = page.locator("[data-said]")
    expect(said).to_contain_text("Graphs are not fitted: the trace's 40 edges", timeout=COMPUTED_MS)
    page.locator("[data-run]").click()
    page.wait_for_url("**/studio/*")
    wait_until_computed(page)
    assert scheduled(page) == ("carbyne", None, True)


@journey
def test_a_table_of_ones_own_is_mapped_in_a_dialog(page: Page) -> None:
    open_small_studio(page)
    choose_file(page, table(), "mine.csv")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("tbody tr").first).to_contain_text("a0")
    expect(dialog.locator("select[name=job]")).to_have_value("app")
    expect(dialog.locator("select[name=arrival]")).to_have_value("when_ms")
    expect(dialog.locator("select[name=time_unit]")).to_have_value("ms")
    dialog.locator("select[name=arrival]").select_option("")
    dialog.locator("[type=submit]").click()
    expect(dialog.locator(".dialog-trouble")).to_contain_text("Choose the column that says when work arrives.")
    dialog.locator("select[name=arrival]").select_option("when_ms")
    dialog.locator("select[name=time_unit]").select_option("ms")
    dialog.locator("select[name=duration]").select_option("took")
    dialog.locator("select[name=duration_unit]").select_option("s")
    expect(dialog.locator("th.is-chosen")).to_have_count(3)
    dialog.locator("[type=submit]").click()
    expect_to_run(page)


def test_a_table_with_wrong_lines_lists_them_all_and_its_queues_reach_the_experiment(page: Page) -> None:
    """All errors at once, in a box as wide as its column, the remedy once; without these lines, the queues count."""
    open_small_studio(page)
    good = "".join(f"{at},{3 + at},{team},{1 + at % 2}\n" for at, team in enumerate(("red", "blue", "", "redd")))
    wrong = "4,1:99:00,red,1\nx,5,red,1\n5,-1,red,1\n6,1,red,-2\n"
    choose_file(page, f"submitted,dur,team,cores\n{good}{wrong}".encode(), "mine.csv")
    dialog = page.get_by_role("dialog")
    dialog.locator("select[name=queue]").select_option("team")
    dialog.locator("[type=submit]").click()
    box = page.locator(".trace-trouble")
    expect(box.locator("li")).to_have_count(4, timeout=COMPUTED_MS)
    for place, name in enumerate(("dur", "submitted", "dur", "cores")):
        expect(box.locator("li").nth(place)).to_contain_text(f"line {6 + place}: '{name}' is")
    expect(box.locator("[data-trouble-remedy]")).to_have_count(1)
    widths = box.evaluate("box => [box, box.querySelector('ul'), box.closest('.panel')].map(each => each.clientWidth)")
    assert widths[0] >= widths[2] - 4, widths
    assert widths[1] >= widths[0] - 24, widths
    box.locator("[data-without-lines]").click()
    expect(page.locator("[data-trace-words]")).to_contain_text("4 jobs, 4 tasks", timeout=COMPUTED_MS)
    wait_until_computed(page)
    page.locator("[data-tab=json]").click()
    experiment = json.loads(page.locator(".json-text").input_value())
    assert experiment["workload"]["queue_assignment"] == "column"
    assert [one["name"] for one in experiment["queues"]] == ["red", "blue", "redd", "none"]


def test_the_trace_of_2011_takes_its_constraints_along(page: Page) -> None:
    open_small_studio(page)
    choose_file(page, google_2011(), "part-00000.csv.gz")
    dialog = page.get_by_role("dialog")
    constraints = "".join(f"0,{at},0,0,arch,x86\n" for at in range(JOBS))
    attributes = "".join(f"0,{machine},arch,{'x86' if machine % 4 else 'arm'},0\n" for machine in range(100))
    for key, text in (("constraints", constraints), ("machine_attributes", attributes)):
        dialog.locator(f"[data-beside={key}]").set_input_files(
            {"name": f"{key}.csv", "mimeType": "", "buffer": text.encode()}
        )
    dialog.locator("[type=submit]").click()
    expect_to_run(page)
    page.locator("[data-trace-constraints]").click()
    expect(page.locator("[data-trace-constraints]")).to_have_count(0)
    wait_until_computed(page)
    page.locator("[data-tab=json]").click()
    text = page.locator(".json-text").input_value()
    assert json.loads(text)["constraints"]["custom"] == [{"name": "k01", "machine_share": 0.75, "task_weight": 1}]
    page.locator("[data-tab=knobs]").click()
    page.locator("[data-trace-statistics]").click()
    expect(page.locator("[data-report]")).to_contain_text("k01: arch == x86, which 75 % of its machines satisfy")


@pytest.mark.parametrize(
    ("name", "damage", "told"),
    [
        ("sparrow", b"40 2 1.0 1.0\n", "line 41: announces 2 tasks and gives 1"),
        ("swf", b"41 soon 0 3 2" + b" -1" * 13 + b"\n", "line 43: 'submit time' is 'soon'"),
        ("alibaba-2018-tasks", b"M1,two,j_9,1,Terminated,1,2,100.0,0.2\n", "line 41: 'instance_num' is 'two'"),
    ],
)
def test_a_damaged_trace_is_told_by_its_line(page: Page, name: str, damage: bytes, told: str) -> None:
    open_small_studio(page)
    data = FILES[name]()
    choose_file(page, (gzip.decompress(data) if name == "sparrow" else data) + damage, "damaged")
    expect(page.locator(".trace-trouble")).to_contain_text(told)
    expect(page.locator("[data-trace-words]")).to_be_hidden()
    left = page.evaluate("async () => localStorage.getItem('playground.uploads')")
    assert left in (None, "{}")


def test_rows_left_out_of_a_trace_are_reported_with_reason_and_line(page: Page) -> None:
    open_small_studio(page)
    rows = alibaba_tasks() + b"M1,2,j_99,1,Failed,1,2,100.0,0.2\nM1,2\n"
    choose_file(page, rows, "batch_task.csv")
    expect(page.locator("[data-trace-words]")).to_contain_text("40 jobs", timeout=COMPUTED_MS)
    page.locator(".trace-report summary").click()
    expect(page.locator(".trace-report")).to_contain_text("1 × a status other than Terminated, first on line 41")
    expect(page.locator(".trace-report")).to_contain_text("1 × not 9 columns, first on line 42")


def test_an_upload_resumes_after_dropped_connections_and_sends_no_piece_twice(
    page: Page, complaints: Complaints
) -> None:
    """Pieces fail half way, for a while; what was sent is not sent again."""
    complaints.expected = ["ERR_CONNECTION_RESET", "net::ERR_"]
    open_small_studio(page)
    sent: list[int] = []
    failures = 0

    def piece(route: Route) -> None:
        nonlocal failures
        offset = int(route.request.headers["upload-offset"])
        if route.request.method == "PATCH" and offset > 0 and failures < 2:
            failures += 1
            route.abort("connectionreset")
            return
        sent.append(offset)
        route.continue_()

    page.route(
        re.compile("/api/v1/uploads/u[0-9a-f]+$"),
        lambda route: piece(route) if route.request.method == "PATCH" else route.continue_(),
    )
    # Nothing that packs: three pieces of 4 MB.
    ran = [f"{at % 89}.{at % 983:03d}" for at in range(400_000)]
    lines = (f"{at}.{at % 977:03d} 1 {seconds} {seconds}\n" for at, seconds in enumerate(ran))
    choose_file(page, "".join(lines).encode(), "long.tr")
    expect(page.locator("[data-trace-words]")).to_contain_text("400,000 jobs", timeout=COMPUTED_MS)
    assert failures == 2
    assert len(sent) >= 2
    assert sorted(set(sent)) == sent


def test_a_trace_shows_statistics_is_fitted_and_its_fit_runs(page: Page) -> None:
    page.goto("/traces/synthetic-steady.tr.gz")
    expect(page.locator("[data-pictures]")).to_be_visible(timeout=COMPUTED_MS)
    duration = page.locator("[data-figure=duration_s]")
    expect(duration).to_have_attribute("data-drawn", re.compile(r"\d"), timeout=COMPUTED_MS)
    duration.locator(".figure-plot").focus()
    page.keyboard.press("ArrowRight")
    expect(duration.locator("[aria-live]")).to_contain_text("of tasks: at most")
    expect(page.locator(".trace-table-place")).to_contain_text("Gaps between jobs")
    page.locator("[data-fit]").click()
    expect(duration.locator(".legendtext")).to_have_text(["the trace", "one draw of the fit"], timeout=COMPUTED_MS)
    page.locator("[data-run-fit]").click()
    page.wait_for_url("**/studio/*")
    wait_until_computed(page)
    page.locator("[data-tab=json]").click()
    assert json.loads(page.locator(".json-text").input_value())["workload"]["kind"] == "synthetic"


def test_a_part_of_a_trace_becomes_one_of_its_own(page: Page) -> None:
    open_small_studio(page)
    choose_file(page, swf(), "all.swf")
    expect_to_run(page)
    page.locator("[data-trace-part]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[type=submit]").click()
    expect(dialog.locator(".dialog-trouble")).to_contain_text("Nothing is left out yet")
    dialog.locator("[data-cut=to_s]").fill("10")
    dialog.locator("[data-cut=rate_factor]").fill("2")
    dialog.locator("[type=submit]").click()
    expect(page.locator("[data-trace-words]")).to_contain_text("10 jobs, 20 tasks", timeout=COMPUTED_MS)
    wait_until_computed(page)


def test_a_canceled_upload_stores_no_trace(page: Page, context: BrowserContext) -> None:
    open_small_studio(page)
    held: list[Route] = []
    page.route(
        re.compile("/api/v1/uploads/u[0-9a-f]+$"),
        lambda route: held.append(route) if route.request.method == "PATCH" else route.continue_(),
    )
    choose_file(page, sparrow(), "held.tr.gz")
    page.locator("[data-trace-cancel]").click()
    expect(page.locator(".trace-going")).to_be_hidden()
    expect(page.locator(".trace-trouble")).to_be_hidden()
    listed = page.evaluate("async () => (await (await fetch('/api/v1/traces')).json()).map(trace => trace.source)")
    assert "upload" not in listed


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_of_a_trace_needs_no_sideways_scrolling_on_a_phone(page: Page, theme: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.goto("/traces/synthetic-steady.tr.gz")
    expect(page.locator("[data-pictures]")).to_be_visible(timeout=COMPUTED_MS)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("[data-part]").click()
    dialog = page.get_by_role("dialog")
    box = dialog.bounding_box()
    assert box is not None
    assert (box["x"] >= 0, box["x"] + box["width"] <= 390) == (True, True)
    dialog.locator("[data-close-dialog]").click()
    expect(dialog).to_have_count(0)
    # Lines stand out from what is behind them in both themes.
    expect(page.locator(".figure .js-line").first).to_be_attached(timeout=COMPUTED_MS)
    inks = page.evaluate("""() => {
      const ink = getComputedStyle(document.querySelector('.figure .js-line')).stroke;
      return [ink, getComputedStyle(document.querySelector('.figure')).backgroundColor];
    }""")
    assert inks[0] != inks[1]
