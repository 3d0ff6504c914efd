"""The rows of the table. Adding one is a function that gives a `Measured`, and a line here."""

from __future__ import annotations

from bench.experiments import like_google, million, on_trace, trace_file
from bench.live.audience import audience, bytes_a_second, largest_audience
from bench.live.pages import frame_to_screen, landing
from bench.map import drawing_map
from bench.measured import Row
from bench.speed import drawing, reading, reading_generated, recording, simulating
from bench.starting import cold, warm

GOOG, YH1 = "GOOG_subtrace.tr", "YH1_sub.tr"
SPEED, COMPILE_S = 500_000, 20

ROWS: tuple[Row, ...] = (
    Row("megha-yh1-10000", "tasks/s", simulating(on_trace("megha", YH1, 10_000))),
    Row("megha-yh1-4000", "tasks/s", simulating(on_trace("megha", YH1, 4_000))),
    Row("megha-goog-10000", "tasks/s", simulating(on_trace("megha", GOOG, 10_000)), at_least=SPEED),
    Row("megha-synthetic-10000", "tasks/s", simulating(like_google("megha"))),
    Row("megha-million-50000", "tasks/s", simulating(million("megha"))),
    Row("megha-frames", "x", recording(million("megha"))),
    Row("sparrow-yh1-10000", "tasks/s", simulating(on_trace("sparrow", YH1, 10_000))),
    Row("sparrow-yh1-4000", "tasks/s", simulating(on_trace("sparrow", YH1, 4_000))),
    Row("sparrow-goog-10000", "tasks/s", simulating(on_trace("sparrow", GOOG, 10_000)), at_least=SPEED),
    Row("sparrow-synthetic-10000", "tasks/s", simulating(like_google("sparrow"))),
    Row("sparrow-million-50000", "tasks/s", simulating(million("sparrow"))),
    Row("sparrow-frames", "x", recording(million("sparrow"))),
    Row("cold-megha", "s", cold("megha"), at_most=COMPILE_S),
    Row("cold-sparrow", "s", cold("sparrow"), at_most=COMPILE_S),
    Row("cold-workloads", "s", cold("workloads")),
    Row("warm-megha", "s", warm("megha")),
    Row("warm-sparrow", "s", warm("sparrow")),
    Row("read-goog", "tasks/s", reading(lambda: trace_file(GOOG))),
    Row("read-generated", "tasks/s", reading_generated()),
    Row("draw-million", "tasks/s", drawing(million("sparrow"))),
    Row("frame-to-screen", "ms", frame_to_screen(), at_most=150),
    Row("landing-moves", "s", landing(), at_most=0.5),
    Row("map-50000-frames", "frames/s", drawing_map("frames"), at_least=59),
    Row("map-50000-thread", "ms", drawing_map("main thread"), at_most=4),
    Row("map-zoomed-frames", "frames/s", drawing_map("frames", zoom=3), at_least=59),
    Row("map-zoomed-thread", "ms", drawing_map("main thread", zoom=3), at_most=4),
    Row("map-closest-thread", "ms", drawing_map("main thread", zoom=40), at_most=4),
    Row("map-panned-thread", "ms", drawing_map("main thread", zoom=3, pan=True)),
    Row("viewers-1000", "frames/s", audience(1_000), at_least=5),
    Row("viewers-most", "viewers", largest_audience((1_000, 1_500, 2_000, 2_500, 3_000, 4_000))),
    Row("viewer-bytes-50000", "MB/s", bytes_a_second(), at_most=0.2),
)
