/** A menu of all exports: results, charts, the map, the experiment. */

import { percentiles } from "../../kit/histogram.js";
import { clock } from "../../kit/format.js";
import { timelineSvg, waitsSvg } from "../charts/svg.js";
import { sceneSvg } from "../scenes/scene.js";
import { constraintCsv } from "../../run/constraint_rows.js";
import { ownerColour } from "../../kit/palette.js";
import { isDark, penOf, targetOf, token } from "../../kit/dom.js";
import { html, ifDefined, made } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { FONT, TEXT_SIZE } from "../../kit/type.js";
import { blobOf, save, svgBlob, toPng } from "../../kit/saving.js";

/** @import { Studio } from "../../studio/store.js" */

/** Return a file's name: the experiment's, and what the file holds. */
export function fileName(/** @type {Studio} */ studio, /** @type {string} */ what) {
  const base = (studio.experiment.value?.name || "experiment")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase();
  return `${base.slice(0, 60) || "experiment"}-${what}`;
}

/**
 * Return the subtitle of an exported chart: the scheduler, the seed, and the current instant or the whole run.
 * @param {Studio} studio
 */
function facts(studio, isWhole = false) {
  const label = studio.meta.value?.scheduler?.label ?? studio.experiment.value?.scheduler?.name ?? "";
  const at = studio.stage.player;
  const seed = studio.experiment.value?.seed ?? 1;
  if (isWhole) return gettext("{label}, seed {seed}, whole run", { label, seed });
  return gettext("{label}, seed {seed}, at {time}", {
    label,
    seed,
    time: clock(at.t_ns, at.store.endNs, !at.playing),
  });
}

const titleOf = (/** @type {Studio} */ studio) => studio.experiment.value?.name || gettext("Untitled experiment");

function waits(/** @type {Studio} */ studio) {
  const name = studio.meta.value?.hists?.[0]?.name ?? "";
  const hist = studio.figures.value?.hists[name];
  return waitsSvg({
    title: titleOf(studio),
    subtitle: facts(studio, studio.isAtEnd()),
    hist: hist ?? null,
    ghost: studio.ghostPicture()?.hists[name] ?? null,
    percentiles: percentiles(hist ?? null),
  });
}

function timeline(/** @type {Studio} */ studio) {
  const { store } = studio.stage.player;
  const known = (studio.meta.value?.series ?? []).filter((series) => store.series[series.name]?.t.length);
  const lines = [known.find((series) => series.unit === "1"), known.find((series) => series.unit !== "1")].flatMap(
    (series) => (series ? [{ label: series.label, unit: series.unit, ...store.series[series.name] }] : []),
  );
  return timelineSvg({ title: titleOf(studio), subtitle: facts(studio), lines, end_ns: store.endNs });
}

/** Export the open picture of graphs. */
function picture(/** @type {Studio} */ studio) {
  const exported = studio.desk.value?.exported();
  if (!exported) return "";
  const { title, about, marks, width, height } = exported;
  return sceneSvg(marks, { width, height, title: `${titleOf(studio)}: ${about ?? title}`, subtitle: facts(studio) });
}

/** Export the map as it is on screen, in the theme's colors, with a title and the owners' legend. */
function mapPng(/** @type {Studio} */ studio) {
  const { map } = studio.stage;
  /** @type {NodeListOf<HTMLCanvasElement>} */
  const all = map.element.querySelectorAll("canvas.map-cells, canvas.map-over");
  const layers = [...all].filter((layer) => layer.width && !layer.hidden);
  const unit = map.scale || 1;
  const [pad, head, foot] = [16 * unit, 64 * unit, 36 * unit];
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [layers[0].width + 2 * pad, layers[0].height + head + foot];
  const pen = penOf(canvas);
  const write = (
    /** @type {string} */ words,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ size,
    /** @type {number} */ weight,
    /** @type {string} */ colour,
  ) => {
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
  for (const [place, name] of (studio.meta.value?.owners ?? []).entries()) {
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
  const waits = studio.session.value?.store.summary?.constraint_waits;
  if (waits) save(fileName(studio, "constraint-waits.csv"), new Blob([constraintCsv(waits)], { type: "text/csv" }));
}

const jsonBlob = (/** @type {unknown} */ data) =>
  new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: "application/json" });

/**
 * Dialogs of higher floors.
 * @typedef {{page: () => unknown}} Dialogs
 * @typedef {[id: string, name: string, kind: string, needs: string,
 *   act: (studio: Studio, dialogs: Dialogs) => unknown]} Entry
 */

/**
 * Headings with their entries. An entry requires "done", "constraints", "recorded", "picture", "desk", "run", "".
 * @type {[heading: string, entries: Entry[]][]}
 */
const ENTRIES = [
  [
    gettext("Results of the whole run"),
    [
      ["summary", gettext("Summary"), "JSON", "done", (studio) => download(studio, "summary", "summary.json")],
      ["waits-by-constraint", gettext("Waits by constraint"), "CSV", "constraints", saveConstraintWaits],
      ["tasks-csv", gettext("Tasks"), "CSV", "done", (studio) => download(studio, "tasks.csv", "tasks.csv")],
      [
        "tasks-parquet",
        gettext("Tasks"),
        gettext("Parquet"),
        "done",
        (studio) => download(studio, "tasks.parquet", "tasks.parquet"),
      ],
      [
        "starts-csv",
        gettext("Starts of jobs and recorded starts"),
        "CSV",
        "recorded",
        (studio) => download(studio, "starts.csv", "starts.csv"),
      ],
      [
        "starts-parquet",
        gettext("Starts of jobs and recorded starts"),
        gettext("Parquet"),
        "recorded",
        (studio) => download(studio, "starts.parquet", "starts.parquet"),
      ],
      [
        "page",
        gettext("Web page that plays and simulates the run"),
        "HTML",
        "done",
        (studio) => download(studio, "page.html", "run.html"),
      ],
      [
        "page-settings",
        gettext("Web page with settings for its readers…"),
        "HTML",
        "done",
        (_studio, dialogs) => dialogs.page(),
      ],
      ["sheet", gettext("Report with figures"), "HTML", "done", saveSheet],
      ["recording", gettext("Recording"), "ZIP", "done", (studio) => download(studio, "recording", "recording.zip")],
    ],
  ],
  [
    gettext("The current view"),
    [
      [
        "map-png",
        gettext("Map"),
        "PNG",
        "picture",
        async (studio) => save(fileName(studio, "map.png"), await mapPng(studio)),
      ],
      [
        "waits-png",
        gettext("Waits"),
        "PNG",
        "picture",
        async (studio) => save(fileName(studio, "waits.png"), await toPng(waits(studio))),
      ],
      [
        "waits-svg",
        gettext("Waits"),
        "SVG",
        "picture",
        (studio) => save(fileName(studio, "waits.svg"), svgBlob(waits(studio))),
      ],
      [
        "picture-png",
        gettext("Picture"),
        "PNG",
        "desk",
        async (studio) =>
          save(fileName(studio, `${studio.desk.value?.exported()?.id}.png`), await toPng(picture(studio))),
      ],
      [
        "picture-svg",
        gettext("Picture"),
        "SVG",
        "desk",
        (studio) => save(fileName(studio, `${studio.desk.value?.exported()?.id}.svg`), svgBlob(picture(studio))),
      ],
      [
        "timeline-png",
        gettext("Timeline"),
        "PNG",
        "picture",
        async (studio) => save(fileName(studio, "timeline.png"), await toPng(timeline(studio))),
      ],
      [
        "timeline-svg",
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
      ["notebook", gettext("Notebook"), "IPYNB", "run", (studio) => download(studio, "notebook.ipynb", "run.ipynb")],
      [
        "experiment",
        gettext("Experiment"),
        "JSON",
        "",
        (studio) =>
          save(
            fileName(studio, "experiment.json"),
            jsonBlob({ ...studio.experiment.value, rules: studio.experiment.value?.rules ?? studio.boot.version }),
          ),
      ],
    ],
  ],
];

/** Download a printable sheet for one run, in the format of a comparison's sheet. */
function saveSheet(/** @type {Studio} */ studio) {
  downloadFrom(
    studio,
    `/comparisons/sheet.html?runs=${encodeURIComponent(studio.session.value?.run.id ?? "")}`,
    "sheet.html",
  );
}

function download(/** @type {Studio} */ studio, /** @type {string} */ path, /** @type {string} */ name) {
  downloadFrom(studio, `/runs/${encodeURIComponent(studio.session.value?.run.id ?? "")}/${path}`, name);
}

/**
 * Download from the server, so that the browser shows the progress.
 * @param {string} address
 * @param {string} name
 */
function downloadFrom(/** @type {Studio} */ studio, address, name) {
  const about = { href: `/api/v1${address}`, download: fileName(studio, name) };
  const link = document.body.appendChild(Object.assign(document.createElement("a"), about));
  link.click();
  link.remove();
}

function missing(/** @type {Studio} */ studio, /** @type {string} */ needs) {
  if (needs === "picture" && !studio.session.value?.store.count) return gettext("There is no picture yet.");
  if (needs === "desk" && !studio.desk.value?.exported()) return gettext("No chart is open next to the map.");
  if (needs === "run" && !studio.session.value?.run.id) return gettext("There is no run yet.");
  if ((needs === "done" || needs === "constraints") && studio.session.value?.run.state !== "done")
    return gettext("The run has not finished.");
  if (needs === "constraints" && !studio.session.value?.store.summary?.constraint_waits)
    return gettext("No task of this run asks for a constraint.");
  return "";
}

/**
 * Arrow keys move between entries, Escape closes the menu.
 * @param {HTMLElement} menu
 * @param {KeyboardEvent} event
 * @param {() => void} close
 */
function keyIn(menu, event, close) {
  const items = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll(".menu-item:enabled")]);
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (event.key === "Escape") close();
  else if (step) items[(at + step + items.length) % items.length]?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Create the menu: groups of entries, as the run allows them now.
 * @param {Studio} studio
 * @param {(act: Entry[4]) => void} run
 * @param {() => void} close
 * @returns {HTMLElement}
 */
function createMenu(studio, run, close) {
  const item = (/** @type {Entry} */ [id, name, kind, needs, act]) => {
    const why = missing(studio, needs);
    return html`<button
      class="menu-item"
      type="button"
      role="menuitem"
      ?disabled=${Boolean(why)}
      title=${ifDefined(why || undefined)}
      data-exports=${id}
      @click=${() => run(act)}
    ><span>${name}</span><span class="menu-kind">${kind}</span></button>`;
  };
  const hasDesk = Boolean(studio.meta.value?.graphs || studio.meta.value?.network);
  const hasRecorded = Boolean(studio.session.value?.store.summary?.recorded_starts);
  const isThere = (/** @type {string} */ needs) =>
    needs === "desk" ? hasDesk : needs === "recorded" ? hasRecorded : true;
  const groups = ENTRIES.map(
    ([heading, entries]) => html`
      <div role="group" aria-label=${heading}>
        <p class="menu-heading">${heading}</p>
        ${entries.filter((each) => isThere(each[3])).map(item)}
      </div>
    `,
  );
  const onKey = (/** @type {KeyboardEvent & {currentTarget: HTMLElement}} */ event) =>
    keyIn(event.currentTarget, event, close);
  return made(
    () => html`<div class="menu" role="menu" aria-label=${gettext("Export")} @keydown=${onKey}>${groups}</div>`,
  );
}

/**
 * Attach the menu to its button.
 * @param {HTMLElement} button
 * @param {Studio} studio
 * @param {Dialogs} dialogs
 */
export function exportMenu(button, studio, dialogs) {
  /** @type {HTMLElement | null} */
  let menu = null;
  const close = (/** @type {boolean} */ focus) => {
    menu?.remove();
    menu = null;
    button.setAttribute("aria-expanded", "false");
    if (focus) button.focus();
  };
  const run = async (/** @type {Entry[4]} */ act) => {
    close(true);
    try {
      await act(studio, dialogs);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      studio.messages.notice(gettext("Export failed: {message}", { message }));
    }
  };
  const open = () => {
    menu = createMenu(studio, run, () => close(true));
    button.after(menu);
    button.setAttribute("aria-expanded", "true");
    menu.querySelector(".menu-item:enabled")?.focus();
  };
  button.addEventListener("click", () => {
    if (menu) close(true);
    else open();
  });
  document.addEventListener("pointerdown", (event) => {
    const target = targetOf(event);
    if (menu && !menu.contains(target) && !button.contains(target)) close(false);
  });
}
