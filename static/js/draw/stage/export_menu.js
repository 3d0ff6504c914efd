/** One menu for everything that can be taken away: results, charts, the map, the experiment. */

import { percentiles } from "../../kit/histogram.js";
import { clock } from "../../kit/format.js";
import { timelineSvg, waitsSvg } from "../charts/svg.js";
import { sceneSvg } from "../scenes/scene.js";
import { constraintCsv } from "../../run/constraint_rows.js";
import { ownerColour } from "../../kit/palette.js";
import { h, isDark, token } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { FONT, TEXT_SIZE } from "../../kit/type.js";
import { blobOf, save, svgBlob, toPng } from "../../kit/saving.js";

/** @import { Studio } from "../../studio/store.js" */

function fileName(/** @type {Studio} */ studio, what) {
  const base = (studio.experiment.name || "experiment")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase();
  return `${base.slice(0, 60) || "experiment"}-${what}`;
}

/** What stands below a chart's title: the scheduler, the seed and the instant that is shown. */
function facts(/** @type {Studio} */ studio) {
  const label = studio.meta?.scheduler?.label ?? studio.experiment.scheduler?.name ?? "";
  const at = studio.stage.player;
  return gettext("{label}, seed {seed}, at {time}", {
    label,
    seed: studio.experiment.seed ?? 1,
    time: clock(at.t_ns, at.store.endNs, !at.playing),
  });
}

const titleOf = (studio) => studio.experiment.name || gettext("Untitled experiment");

function waits(/** @type {Studio} */ studio) {
  const name = studio.meta?.hists?.[0]?.name;
  const hist = studio.stage.picture?.hists[name];
  return waitsSvg({
    title: titleOf(studio),
    subtitle: facts(studio),
    hist: hist ?? null,
    ghost: studio.ghostPicture()?.hists[name] ?? null,
    percentiles: percentiles(hist ?? null),
  });
}

function timeline(/** @type {Studio} */ studio) {
  const { store } = studio.session;
  const known = studio.meta.series.filter((series) => store.series[series.name]?.t.length);
  const chosen = [known.find((series) => series.unit === "1"), known.find((series) => series.unit !== "1")].filter(
    Boolean,
  );
  const lines = chosen.map((series) => ({ label: series.label, unit: series.unit, ...store.series[series.name] }));
  return timelineSvg({ title: titleOf(studio), subtitle: facts(studio), lines, end_ns: store.endNs });
}

/** The picture of graphs that is open. */
function picture(/** @type {Studio} */ studio) {
  const { title, about, marks, width, height } = studio.desk.exported();
  return sceneSvg(marks, { width, height, title: `${titleOf(studio)}: ${about ?? title}`, subtitle: facts(studio) });
}

/** The map as it stands on the screen, in the colours of the theme, with what it shows and whose colours these are. */
function mapPng(/** @type {Studio} */ studio) {
  const { map } = studio.stage;
  const layers = [...map.element.querySelectorAll("canvas.map-cells, canvas.map-over")].filter(
    (layer) => layer.width && !layer.hidden,
  );
  const unit = map.scale || 1;
  const [pad, head, foot] = [16 * unit, 64 * unit, 36 * unit];
  const canvas = h("canvas", { width: layers[0].width + 2 * pad, height: layers[0].height + head + foot });
  const pen = canvas.getContext("2d");
  const write = (words, x, y, size, weight, colour) => {
    pen.font = `${weight} ${size * unit}px ${FONT}`;
    pen.fillStyle = token(colour);
    pen.fillText(words, x, y);
  };
  pen.fillStyle = token("ground");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(titleOf(studio), pad, 28 * unit, 20, 600, "ink");
  write(facts(studio), pad, 48 * unit, TEXT_SIZE, 400, "muted");
  for (const layer of layers) pen.drawImage(layer, pad, head);
  let x = pad;
  for (const [place, name] of studio.meta.owners.entries()) {
    pen.font = `400 ${TEXT_SIZE * unit}px ${FONT}`;
    const wide = pen.measureText(name).width + 34 * unit;
    if (x + wide > canvas.width - pad) break;
    pen.fillStyle = ownerColour(place, isDark());
    pen.fillRect(x, canvas.height - 23 * unit, 11 * unit, 11 * unit);
    write(name, x + 18 * unit, canvas.height - 13 * unit, TEXT_SIZE, 400, "ink");
    x += wide;
  }
  return blobOf(canvas);
}

function saveConstraintWaits(/** @type {Studio} */ studio) {
  const { constraint_waits } = studio.session.store.summary;
  save(fileName(studio, "constraint-waits.csv"), new Blob([constraintCsv(constraint_waits)], { type: "text/csv" }));
}

const jsonBlob = (data) => new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: "application/json" });

/**
 * Headings with their entries. An entry needs "done", "constraints", "picture", "desk", "run" or nothing of the page.
 * @type {[heading: string, entries: [name: string, kind: string, needs: string, act: (studio: any) => any][]][]}
 */
const ENTRIES = [
  [
    gettext("Results of the whole run"),
    [
      [gettext("Summary"), "JSON", "done", (studio) => download(studio, "summary", "summary.json")],
      [gettext("Waits by constraint"), "CSV", "constraints", saveConstraintWaits],
      [gettext("Tasks"), "CSV", "done", (studio) => download(studio, "tasks.csv", "tasks.csv")],
      [gettext("Tasks"), gettext("Parquet"), "done", (studio) => download(studio, "tasks.parquet", "tasks.parquet")],
      [gettext("Web page that plays the run"), "HTML", "done", (studio) => download(studio, "page.html", "run.html")],
      [gettext("Report with figures"), "HTML", "done", saveSheet],
      [gettext("Recording"), "ZIP", "done", (studio) => download(studio, "recording", "recording.zip")],
    ],
  ],
  [
    gettext("The current view"),
    [
      [gettext("Map"), "PNG", "picture", async (studio) => save(fileName(studio, "map.png"), await mapPng(studio))],
      [
        gettext("Waits"),
        "PNG",
        "picture",
        async (studio) => save(fileName(studio, "waits.png"), await toPng(waits(studio))),
      ],
      [gettext("Waits"), "SVG", "picture", (studio) => save(fileName(studio, "waits.svg"), svgBlob(waits(studio)))],
      [
        gettext("Picture"),
        "PNG",
        "desk",
        async (studio) => save(fileName(studio, `${studio.desk.exported().id}.png`), await toPng(picture(studio))),
      ],
      [
        gettext("Picture"),
        "SVG",
        "desk",
        (studio) => save(fileName(studio, `${studio.desk.exported().id}.svg`), svgBlob(picture(studio))),
      ],
      [
        gettext("Timeline"),
        "PNG",
        "picture",
        async (studio) => save(fileName(studio, "timeline.png"), await toPng(timeline(studio))),
      ],
      [
        gettext("Timeline"),
        "SVG",
        "picture",
        (studio) => save(fileName(studio, "timeline.svg"), svgBlob(timeline(studio))),
      ],
    ],
  ],
  [
    gettext("To run elsewhere"),
    [
      [gettext("Notebook"), "IPYNB", "run", (studio) => download(studio, "notebook.ipynb", "run.ipynb")],
      [
        gettext("Experiment"),
        "JSON",
        "",
        (studio) =>
          save(
            fileName(studio, "experiment.json"),
            jsonBlob({ ...studio.experiment, rules: studio.experiment.rules ?? studio.boot.version }),
          ),
      ],
    ],
  ],
];

/** A sheet of paper for one run: what a comparison's sheet has, of this run alone. */
function saveSheet(/** @type {Studio} */ studio) {
  downloadFrom(studio, `/comparisons/sheet.html?runs=${encodeURIComponent(studio.session.run.id)}`, "sheet.html");
}

function download(/** @type {Studio} */ studio, path, name) {
  downloadFrom(studio, `/runs/${encodeURIComponent(studio.session.run.id)}/${path}`, name);
}

/** The server names the file; the browser shows its progress. */
function downloadFrom(/** @type {Studio} */ studio, address, name) {
  const link = h("a", { href: `/api/v1${address}`, download: fileName(studio, name) });
  document.body.append(link);
  link.click();
  link.remove();
}

function missing(/** @type {Studio} */ studio, needs) {
  if (needs === "picture" && !studio.session?.store.count) return gettext("There is no picture yet.");
  if (needs === "desk" && !studio.desk?.exported()) return gettext("No chart is open next to the map.");
  if (needs === "run" && !studio.session?.run.id) return gettext("There is no run yet.");
  if ((needs === "done" || needs === "constraints") && studio.session?.run.state !== "done")
    return gettext("The run has not finished.");
  if (needs === "constraints" && !studio.session.store.summary?.constraint_waits)
    return gettext("No task of this run asks for a constraint.");
  return "";
}

/** Arrows go from entry to entry, Escape closes. */
function keyIn(menu, event, close) {
  const items = [...menu.querySelectorAll(".menu-item:enabled")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") close();
  else if (step) items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Wire the button that opens the menu. */
export function exportMenu(button, /** @type {Studio} */ studio) {
  let menu = null;
  const close = (focus) => {
    menu?.remove();
    menu = null;
    button.setAttribute("aria-expanded", "false");
    if (focus) button.focus();
  };
  const run = async (act) => {
    close(true);
    try {
      await act(studio);
    } catch (error) {
      studio.messages.notice(gettext("Export failed: {message}", { message: error.message }));
    }
  };
  const item = ([name, kind, needs, act]) => {
    const why = missing(studio, needs);
    return h(
      "button",
      {
        class: "menu-item",
        type: "button",
        role: "menuitem",
        disabled: Boolean(why),
        title: why || null,
        "data-export-kind": `${name} ${kind}`,
        onclick: () => run(act),
      },
      h("span", {}, name),
      h("span", { class: "menu-kind" }, kind),
    );
  };
  const open = () => {
    menu = h(
      "div",
      { class: "menu", role: "menu", "aria-label": gettext("Export") },
      ENTRIES.map(([heading, entries]) =>
        h(
          "div",
          { role: "group", "aria-label": heading },
          h("p", { class: "menu-heading" }, heading),
          entries.filter((each) => each[2] !== "desk" || studio.meta?.graphs || studio.meta?.network).map(item),
        ),
      ),
    );
    button.after(menu);
    button.setAttribute("aria-expanded", "true");
    menu.querySelector(".menu-item:enabled")?.focus();
    menu.addEventListener("keydown", (event) => keyIn(menu, event, () => close(true)));
  };
  button.addEventListener("click", () => {
    if (menu) close(true);
    else open();
  });
  document.addEventListener("pointerdown", (event) => {
    if (menu && !menu.contains(event.target) && !button.contains(event.target)) close(false);
  });
}
