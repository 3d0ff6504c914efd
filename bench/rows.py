"""The rows of the table. Adding one is a function that gives a `Measured`, and a line here."""

from __future__ import annotations

from bench.asks import asking
from bench.clusters import importing_cluster, scheduling_cluster
from bench.experiments import (
    by_flow,
    changed,
    constrained,
    graphs,
    hybrid,
    like_facebook,
    like_google,
    like_microsoft,
    million,
    nodes,
    on_trace,
    own,
    public,
    spreading,
    tpcds_at_once,
    trace_file,
    waiting_jobs,
)
from bench.flow import arriving, changing, racing, resolving
from bench.live.audience import audience, bytes_a_second, largest_audience
from bench.live.class_forks import fairness, forking, moving_meanwhile
from bench.live.class_of_many import answering_at_once, joining, moving
from bench.live.class_phones import telling
from bench.live.class_previews import class_of
from bench.live.editors import editing
from bench.live.one_address import refused_in_a_class, second_visitor
from bench.live.pages import frame_to_screen, landing
from bench.live.previews import answering
from bench.live.sliders import key_to_picture, slider_in_the_page, slider_to_picture
from bench.live.studies import sweeping
from bench.live.together import linked_runs
from bench.map import drawing_map, scrubbing
from bench.measured import Row
from bench.pipelines import askalon, grid, running, singles
from bench.speed import (
    deciding,
    drawing,
    drawing_constraints,
    explaining,
    from_outside,
    growing,
    lasting,
    one_decision,
    previewing,
    reading,
    reading_generated,
    recording,
    simulating,
    summarizing,
    taking,
    telling_preview,
    whole,
)
from bench.starting import cold, warm
from bench.tasks import drawing_tasks, track_in_recording
from bench.traces import alibaba_instances, alibaba_tasks, google_2011, memory_of_reading, reading_rows

GOOG, YH1 = "GOOG_subtrace.tr", "YH1_sub.tr"
SPEED, COMPILE_S, FIRST_S = 600_000, 20, 1.5
SPARROW, FRAMES = 1_500_000, 1.15
HAWK, EAGLE, PIGEON, PHOENIX = 1_000_000, 600_000, 1_000_000, 300_000
AT_95 = {"arrivals": {"kind": "poisson", "offered_load": 0.95}}

ROWS: tuple[Row, ...] = (
    Row("megha-yh1-10000", "tasks/s", simulating(on_trace("megha", YH1, 10_000))),
    Row("megha-yh1-4000", "tasks/s", simulating(on_trace("megha", YH1, 4_000))),
    Row("megha-goog-10000", "tasks/s", simulating(on_trace("megha", GOOG, 10_000)), at_least=SPEED),
    Row("megha-public-yh1-10000", "tasks/s", simulating(public(YH1, 10_000)), at_least=800_000),
    Row("megha-public-yh1-4000", "tasks/s", simulating(public(YH1, 4_000)), at_least=300_000),
    Row("megha-public-goog-10000", "tasks/s", simulating(public(GOOG, 10_000)), at_least=400_000),
    Row(
        "megha-constraints-goog-10000",
        "tasks/s",
        simulating(constrained(on_trace("megha", GOOG, 10_000))),
        at_least=300_000,
    ),
    Row("megha-preempting-95", "tasks/s", simulating(changed(like_google("megha"), workload=AT_95))),
    Row("megha-64-cpus-50000", "tasks/s", simulating(nodes(50_000)), at_least=333_333),
    Row("megha-growth", "x", growing(nodes(50_000), nodes(1_000, 200_000)), at_most=1.5),
    Row("megha-synthetic-10000", "tasks/s", simulating(like_google("megha"))),
    Row("megha-million-50000", "tasks/s", simulating(million("megha"))),
    Row("why-million-megha", "s", explaining(million("megha")), at_most=2),
    Row("why-million-sparrow", "s", explaining(million("sparrow")), at_most=2),
    Row("megha-frames", "x", recording(million("megha")), at_most=FRAMES),
    Row("sparrow-yh1-10000", "tasks/s", simulating(on_trace("sparrow", YH1, 10_000)), at_least=SPARROW),
    Row("sparrow-yh1-4000", "tasks/s", simulating(on_trace("sparrow", YH1, 4_000)), at_least=SPARROW),
    Row("sparrow-goog-10000", "tasks/s", simulating(on_trace("sparrow", GOOG, 10_000)), at_least=SPARROW),
    Row("sparrow-whole-goog", "x", whole(on_trace("sparrow", GOOG, 10_000)), at_most=2),
    Row("megha-whole-goog", "x", whole(on_trace("megha", GOOG, 10_000)), at_most=1.5),
    Row("sparrow-whole-five-million", "x", whole(million("sparrow", 12_500, tasks=4_900_000)), at_most=2),
    Row("sparrow-25-million", "s", summarizing(million("sparrow", 12_500, tasks=25_000_000)), at_most=120),
    Row("megha-25-million", "s", summarizing(million("megha", 12_500, tasks=25_000_000)), at_most=240),
    Row("sparrow-million-machines", "s", summarizing(million("sparrow", 1_000_000, tasks=10_000_000)), at_most=60),
    Row("sparrow-summary-goog", "s", summarizing(on_trace("sparrow", GOOG, 10_000))),
    Row("megha-summary-goog", "s", summarizing(on_trace("megha", GOOG, 10_000))),
    Row("sparrow-preview-results", "ms", telling_preview(million("sparrow", 1_000, tasks=20_000)), at_most=5),
    Row("sparrow-outside-goog", "tasks/s", from_outside(on_trace("sparrow", GOOG, 10_000))),
    Row("megha-outside-goog", "tasks/s", from_outside(on_trace("megha", GOOG, 10_000))),
    Row("sparrow-synthetic-10000", "tasks/s", simulating(like_google("sparrow"))),
    Row("sparrow-million-50000", "tasks/s", simulating(million("sparrow"))),
    Row("sparrow-frames", "x", recording(million("sparrow")), at_most=FRAMES),
    Row("hawk-yh1-4000", "tasks/s", simulating(hybrid("hawk", YH1, 4_000)), at_least=HAWK),
    Row("hawk-goog-10000", "tasks/s", simulating(hybrid("hawk", GOOG, 10_000)), at_least=HAWK),
    Row("hawk-public-yh1-4000", "tasks/s", simulating(hybrid("hawk", YH1, 4_000, "public-simulator"))),
    Row("hawk-public-goog-10000", "tasks/s", simulating(hybrid("hawk", GOOG, 10_000, "public-simulator"))),
    Row("eagle-yh1-4000", "tasks/s", simulating(hybrid("eagle", YH1, 4_000)), at_least=EAGLE),
    Row("eagle-goog-10000", "tasks/s", simulating(hybrid("eagle", GOOG, 10_000)), at_least=EAGLE),
    Row("eagle-public-yh1-4000", "tasks/s", simulating(hybrid("eagle", YH1, 4_000, "public-simulator"))),
    Row("eagle-public-goog-10000", "tasks/s", simulating(hybrid("eagle", GOOG, 10_000, "public-simulator"))),
    Row("eagle-million-50000", "s", taking(million("eagle")), at_most=4),
    Row(
        "phoenix-goog-15000",
        "tasks/s",
        simulating(constrained(hybrid("phoenix", GOOG, 15_000), "phoenix-9", "phoenix")),
        at_least=PHOENIX,
    ),
    Row("pigeon-yh1-4000", "tasks/s", simulating(hybrid("pigeon", YH1, 4_000)), at_least=PIGEON),
    Row("pigeon-goog-10000", "tasks/s", simulating(hybrid("pigeon", GOOG, 10_000)), at_least=PIGEON),
    Row("mesos-synthetic-10000", "tasks/s", simulating(like_google("mesos"))),
    Row("own-kept-10000", "tasks/s", simulating(own("score: machine.free_cpus")), at_least=100_000),
    Row("own-left-10000", "tasks/s", simulating(own("score: 100 * machine.left_mean"))),
    Row("own-left-10000-native", "tasks/s", simulating(spreading())),
    Row("own-job-10000", "tasks/s", simulating(own("score: -same_job_here"))),
    Row("own-order-10000", "tasks/s", simulating(own("order: job.work_left"))),
    Row(
        "own-two-choices-10000", "tasks/s", simulating(own("score: -machine.waiting", news="sample", wait_at="machine"))
    ),
    Row("drf-250-graphs", "s", lasting(graphs("drf"))),
    Row("tetris-250-graphs", "s", lasting(graphs("tetris"))),
    Row("carbyne-250-graphs", "s", lasting(graphs("carbyne")), at_most=5),
    Row("carbyne-facebook-1s", "s", lasting(like_facebook("carbyne", 1)), at_most=60),
    Row("drf-facebook-0s", "s", lasting(like_facebook("drf", 0)), at_most=30),
    Row("drf-facebook-1s", "s", lasting(like_facebook("drf", 1)), at_most=15),
    Row("tetris-facebook-0s", "s", lasting(like_facebook("tetris", 0)), at_most=30),
    Row("tetris-facebook-1s", "s", lasting(like_facebook("tetris", 1)), at_most=15),
    Row("choosy-facebook-0s", "s", lasting(like_facebook("choosy", 0))),
    Row("choosy-facebook-1s", "s", lasting(like_facebook("choosy", 1))),
    Row("carbyne-decision-10000", "ms", one_decision(tpcds_at_once(), 60), at_most=4),
    Row("carbyne-microsoft-3s", "s", lasting(like_microsoft("carbyne", 3)), at_most=600),
    Row("alsched-cycle-1000", "ms", deciding(waiting_jobs("alsched"), 4)),
    Row("tetrisched-cycle-1000", "ms", deciding(waiting_jobs("tetrisched"), 4)),
    Row("tetrisched-together-1000", "ms", deciding(waiting_jobs("tetrisched", tasks="together"), 4)),
    Row("pipeline-askalon", "tasks/s", simulating(askalon()), at_least=500_000),
    Row("pipeline-grid", "s", grid(), at_most=60),
    Row("pipeline-singles-10000", "s", running(singles()), at_most=30),
    Row("flow-resolve-10000", "x", resolving(10_000, 20_000), at_most=0.1),
    Row("flow-resolve-10000-over", "x", resolving(10_000, 45_000), at_most=0.1),
    Row("flow-resolve-5000", "x", resolving(5_000, 10_000), at_most=0.1),
    Row("flow-resolve-5000-full", "x", resolving(5_000, 20_000), at_most=0.1),
    Row("flow-race-10000", "x", racing(10_000, 20_000)),
    Row("flow-race-5000-full", "x", racing(5_000, 20_000)),
    Row("flow-resolve-100000", "s", changing(100_000, 200_000), at_most=1),
    Row("flow-one-arrives", "ms", arriving(10_000, 20_000), at_most=1),
    Row("flow-quincy-100000", "s", lasting(by_flow("quincy", load=0.95)), at_most=30),
    Row("flow-quincy-over", "s", lasting(by_flow("quincy", load=1.5)), at_most=30),
    Row("flow-fairness-over", "s", lasting(by_flow("sirius-fairness", load=1.2, tasks=50_000))),
    Row("cold-megha", "s", cold("megha"), at_most=COMPILE_S),
    Row("cold-sparrow", "s", cold("sparrow"), at_most=COMPILE_S),
    Row("cold-carbyne", "s", cold("carbyne"), at_most=COMPILE_S),
    Row("first-megha", "s", cold("megha", compile_first=False), at_most=FIRST_S),
    Row("first-sparrow", "s", cold("sparrow", compile_first=False), at_most=FIRST_S),
    Row("first-carbyne", "s", cold("carbyne", compile_first=False), at_most=FIRST_S),
    Row("cold-workloads", "s", cold("workloads")),
    Row("warm-megha", "s", warm("megha")),
    Row("warm-sparrow", "s", warm("sparrow")),
    Row("read-goog", "tasks/s", reading(lambda: trace_file(GOOG)), at_least=1_500_000),
    Row("read-generated", "tasks/s", reading_generated()),
    Row("read-google-2011", "rows/s", reading_rows(google_2011, 500_000), at_least=1_000_000),
    Row("read-alibaba-instances", "rows/s", reading_rows(alibaba_instances, 2_000_000), at_least=1_000_000),
    Row("read-alibaba-tasks", "rows/s", reading_rows(alibaba_tasks, 2_000_000), at_least=1_000_000),
    Row("read-memory", "MB", memory_of_reading(), at_most=500),
    Row("read-memory-graphs", "MB", memory_of_reading(alibaba_tasks, 2_000_000), at_most=500),
    Row("import-cluster", "s", importing_cluster(), at_most=10),
    Row("kube-150000-all-nodes", "s", scheduling_cluster(100), at_most=60),
    Row("kube-150000-percentage", "s", scheduling_cluster(0), at_most=10),
    Row("draw-million", "tasks/s", drawing(million("sparrow")), at_least=5_000_000),
    Row("constraints-million", "s", drawing_constraints(million("sparrow")), at_most=2),
    Row("preview-10000", "ms", previewing(), at_most=100),
    Row("preview-edit", "ms", editing(), at_most=100),
    Row("preview-20000-tasks", "ms", answering()),
    Row("preview-20000-new-work", "ms", answering(new_work=True)),
    Row("class-300-previews", "s", class_of(300, 20), at_most=10),
    Row("class-300-forks", "s", forking(300, 20), at_most=10),
    Row("class-300-fairness", "x", fairness(300, 20), at_most=5),
    Row("class-300-forks-moves", "ms", moving_meanwhile(300, 20), at_most=500),
    Row("class-300-phones", "ms", telling(300), at_most=5),
    Row("class-300-joins", "s", joining(300), at_most=30),
    Row("class-300-refused", "requests", refused_in_a_class(300), at_most=0),
    Row("strangers-300-visitor", "x", second_visitor(300), at_most=2),
    Row("class-300-answers", "s", answering_at_once(300)),
    Row("class-300-moves", "ms", moving(300), at_most=500),
    Row("slider-megha", "ms", slider_to_picture("megha"), at_most=150),
    Row("slider-eagle", "ms", slider_to_picture("eagle"), at_most=150),
    Row("key-own", "ms", key_to_picture, at_most=200),
    Row("slider-here-sparrow", "ms", slider_in_the_page("sparrow"), at_most=16),
    Row("slider-here-megha", "ms", slider_in_the_page("megha"), at_most=50),
    Row("sweep-100", "s", sweeping(), at_most=15),
    Row("ask-machines-1000", "s", asking("machines"), at_most=30),
    Row("ask-off-1000", "s", asking("off")),
    Row("ask-off-5000", "s", asking("off", 5_000), at_most=30),
    Row("linked-4x10000", "frames/s", linked_runs(), at_least=20),
    Row("frame-to-screen", "ms", frame_to_screen(), at_most=150),
    Row("landing-moves", "s", landing(), at_most=0.4),
    Row("map-50000-frames", "frames/s", drawing_map("frames"), at_least=59),
    Row("map-50000-thread", "ms", drawing_map("main thread"), at_most=4),
    Row("map-zoomed-frames", "frames/s", drawing_map("frames", zoom=3), at_least=59),
    Row("map-zoomed-thread", "ms", drawing_map("main thread", zoom=3), at_most=4),
    Row("map-closest-thread", "ms", drawing_map("main thread", zoom=40), at_most=4),
    *(
        row
        for name in ("sparrow", "kubernetes", "megha")
        for row in (
            Row(f"tasks-400-{name}-frames", "frames/s", drawing_tasks("frames", name), at_least=59),
            Row(f"tasks-400-{name}-thread", "ms", drawing_tasks("main thread", name)),
            Row(f"track-400-{name}", "x", track_in_recording(name), at_most=1.5),
        )
    ),
    Row("scrub-50000-frames", "frames/s", scrubbing("frames"), at_least=30),
    Row("scrub-50000-seek-p95", "ms", scrubbing("seek"), at_most=200),
    Row("map-panned-thread", "ms", drawing_map("main thread", zoom=3, pan=True)),
    Row("viewers-1000", "frames/s", audience(1_000), at_least=5),
    Row("viewers-most", "viewers", largest_audience((1_000, 1_500, 2_000, 2_500, 3_000, 4_000))),
    Row("viewer-bytes-50000", "MB/s", bytes_a_second(), at_most=0.2),
)
