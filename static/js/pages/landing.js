/** The landing page: a recorded run, playing. */

import { Stage } from "../run/stage.js";
import { FrameStore } from "../run/frames.js";
import { measured } from "../kit/format.js";
import { percentiles, total } from "../kit/histogram.js";
import { hatchLayer } from "../run/sentences.js";
import { fetchBytes, openRecording } from "../run/recording.js";
import { h } from "../kit/dom.js";
import { wireTips } from "../kit/tips.js";
import { bootData, wireTheme } from "../kit/boot.js";

const FIRST_CHUNKS = 4;
const START_SHARE = 0.95;

function placeNotes(map) {
  const box = map.element.getBoundingClientRect();
  const { blocks } = map.plan;
  const lent = lentMachine(map);
  const spots = [
    blocks[0].parts[0],
    blocks[blocks.length >> 1].parts[0],
    blocks.at(-1).parts[Math.floor(blocks.at(-1).parts.length / 2)],
  ];
  document.querySelectorAll("[data-note]").forEach((note, place) => {
    const part = spots[place];
    const inside = part.first + Math.floor(part.across / 2) + part.across * Math.floor(part.machines / part.across / 2);
    const middle = place === 2 && lent >= 0 ? lent : inside;
    const [x, y] = map.cssPlace(Math.min(middle, map.meta.machines - 1));
    const left = Math.min(Math.max(x - 24, 8), box.width - note.offsetWidth - 8);
    const above = y > note.offsetHeight + 24;
    note.style.transform = `translate(${left}px, ${above ? y - note.offsetHeight - 14 : y + 14}px)`;
    note.style.setProperty("--stem", `${Math.min(Math.max(x - left, 10), note.offsetWidth - 10)}px`);
    note.classList.toggle("below", !above);
    note.classList.add("placed");
  });
}

/** A machine of the last cluster that is lent now, for the note to point at. */
function lentMachine(map) {
  const layer = hatchLayer(map.meta);
  const lent = layer && map.picture ? map.picture.layers[layer.name] : null;
  if (!lent) return -1;
  const from = map.meta.clusters.at(-1).first + Math.floor(map.meta.clusters.at(-1).machines / 2);
  return lent.findIndex((share, machine) => machine >= from && share > 0);
}

const SEEN = "playground.landing-notes-seen";

/** Who points at a machine reads about it there: the notes have done their work, for good. */
function forgetNotes() {
  for (const note of document.querySelectorAll("[data-note]")) note.classList.add("understood");
  try {
    localStorage.setItem(SEEN, "1");
  } catch {
    /* private window */
  }
}

function notesSeen() {
  try {
    return localStorage.getItem(SEEN) === "1";
  } catch {
    return false;
  }
}

async function loadCharts() {
  const { sharedSpan, CdfView, HistogramView } = await import("../run/charts.js");
  document.head.append(
    h("link", { rel: "stylesheet", href: new URL("../../vendor/uplot/uPlot.min.css", import.meta.url).pathname }),
  );
  const histogram = new HistogramView(document.querySelector("[data-histogram]"));
  const cdf = new CdfView(document.querySelector("[data-cdf]"));
  return (filled, values) => {
    const span = sharedSpan(filled);
    histogram.update(filled, values, span);
    cdf.update(filled, null, span);
  };
}

async function play(recordingUrl) {
  let drawCharts = null;
  let name = "allocation_delay";
  const stage = new Stage(document.body, {
    loop: true,
    wheel: "ctrl",
    on: {
      layout: placeNotes,
      picture: (picture) => {
        const hist = picture.hists[name];
        const filled = hist && total(hist.counts) > 0 ? hist : null;
        const values = percentiles(filled);
        for (const [label, value] of Object.entries(values)) {
          const cell = document.querySelector(`[data-percentile="${label}"]`);
          if (cell) cell.textContent = measured(value);
        }
        drawCharts?.(filled, values);
      },
    },
  });
  const { meta, summary, chunks, chunk } = openRecording(await fetchBytes(recordingUrl));
  name = meta.hists[0]?.name ?? name;
  const store = new FrameStore();
  const append = (number) => {
    for (const frame of chunk(number)) store.append(frame);
  };
  for (let number = 0; number < Math.min(FIRST_CHUNKS, chunks); number += 1) append(number);
  stage.setMeta(meta);
  stage.setStore(store);
  // An empty datacenter explains nothing: begin where the work is under way.
  stage.player.expectedEndNs = (summary?.makespan_s ?? 0) * 1e9;
  // And just before a frame, so that what is shown moves at once.
  stage.player.seek(store.times[store.indexAt(store.endNs * START_SHARE)] - 1);
  stage.map.show(store.pictureAtTime(stage.player.t_ns));
  placeNotes(stage.map);
  // Only the moving picture is waited for; the charts are half of the page's script.
  loadCharts()
    .then((draw) => {
      drawCharts = draw;
      return import("../kit/page_keys.js");
    })
    .then(({ wirePageKeys }) => wirePageKeys("landing"))
    .catch(() => {});
  if (notesSeen()) forgetNotes();
  stage.map.element.addEventListener("pointermove", forgetNotes, { once: true });
  stage.map.element.addEventListener("pointerdown", forgetNotes, { once: true });
  // The rest is decoded between pictures.
  for (let number = FIRST_CHUNKS; number < chunks; number += 1) {
    await new Promise((resume) => {
      setTimeout(resume, 30);
    });
    append(number);
  }
  store.summary ||= summary || {};
}

wireTheme();
wireTips();
const boot = bootData();
play(boot.recording_url).catch(() => {
  document.body.classList.add("no-recording");
  document.querySelector("[data-failure]").hidden = false;
});
