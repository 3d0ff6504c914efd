/** The page that prepares a figure for print. */

import { find } from "../kit/dom.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { request } from "../contract/api.js";
import { figureAddress, figureSvg } from "../draw/charts/figure_files.js";
import { save, svgBlob } from "../kit/saving.js";
import { gettext } from "../kit/words.js";

/** @import { Failure } from "../contract/api.js" */

const { source, params } = bootData();
const place = find("place");
let asked = 0;
let svg = "";
let drawing = Promise.resolve();

/** Return the figure's appearance from the form. */
function look() {
  return {
    width_mm: find("width").value,
    height_mm: find("height").value,
    font: find("font").value,
    font_pt: find("font-pt").value,
  };
}

function say(/** @type {string} */ words) {
  find("said").textContent = words;
  find("said").hidden = !words;
}

/**
 * Return the drawing as an image: inside an image, styles in its markup apply, while this page's policy forbids them.
 */
function shown(/** @type {string} */ text) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  image.alt = find("caption").textContent;
  return image;
}

async function draw() {
  asked += 1;
  const turn = asked;
  const whole = { ...params, ...look() };
  find("csv").href = `/api/v1${figureAddress(`${source}.csv`, params)}`;
  find("json").href = `/api/v1${figureAddress(source, whole)}`;
  try {
    const found = await request("GET", figureAddress(source, whole));
    const drawn = await figureSvg(found.figure);
    if (turn !== asked) return;
    svg = drawn;
    find("caption").textContent = found.caption;
    find("bibtex").textContent = found.bibtex;
    place.replaceChildren(shown(svg));
    document.title = gettext("{title} · Scheduler Playground", { title: found.title });
    document.body.dataset.drawn = String(turn);
    say("");
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    if (turn !== asked) return;
    svg = "";
    // Without a drawing there is nothing to save, print or cite.
    const parts = document.querySelectorAll(".print-fields, .print-figure, .print-acts, .print-cite");
    const none = error.status === 404;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (parts)) part.hidden = none;
    if (none) {
      say(gettext("There is nothing to draw: the link may be incomplete, or the experiment was deleted."));
      return;
    }
    const [first] = error.problems ?? [];
    say(
      first
        ? [first.path, first.message, first.allowed && gettext("Allowed: {allowed}.", { allowed: first.allowed })]
            .filter(Boolean)
            .join(" ")
        : error.message,
    );
  }
}

function redraw() {
  drawing = draw();
}

/** Return the drawing of the current fields; "" if the server rejected them, which the page reports above. */
async function drawnAsAsked() {
  let waited;
  while (waited !== drawing) {
    waited = drawing;
    await waited;
  }
  return svg;
}

wireTheme();
wirePageKeys("figure");
find("fields").addEventListener("change", redraw);
find("fields").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
find("grey").addEventListener("change", () => place.classList.toggle("is-grey", find("grey").checked));
find("svg").addEventListener("click", async () => {
  const drawn = await drawnAsAsked();
  if (drawn) save("figure.svg", svgBlob(drawn));
});
find("print").addEventListener("click", async () => {
  if (!(await drawnAsAsked())) return;
  await place.querySelector("img").decode();
  window.print();
});
find("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(find("bibtex").textContent);
  find("copy").textContent = gettext("Copied");
});
redraw();
