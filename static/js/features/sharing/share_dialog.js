/** The share dialog: a short link, one that holds the experiment, markup for a page, a code for cameras. */

import { copyRow } from "../../kit/copy_row.js";
import { gettext } from "../../kit/words.js";
import { openDialog } from "../../kit/dialogs.js";
import { h, targetOf } from "../../kit/dom.js";

const PANELS = [
  ["map", "map"],
  ["legend", "legend"],
  ["play", gettext("playback controls")],
  ["waits", "waits"],
  ["counters", "counters"],
  ["timeline", gettext("timeline")],
];
const USUAL = ["map", "legend", "play"];

/** Markup for a page or a slide, with the panels that are chosen. */
function frameRow(/** @type {string} */ embed) {
  const chosen = new Set(USUAL);
  const markup = () => {
    const address = new URL(embed);
    if ([...chosen].sort().join() !== [...USUAL].sort().join())
      address.searchParams.set(
        "panels",
        PANELS.map(([name]) => name)
          .filter((name) => chosen.has(name))
          .join("."),
      );
    return `<iframe src="${address}" width="800" height="520" title="Scheduler Playground"></iframe>`;
  };
  const help = gettext("Shows only the selected parts.");
  const made = copyRow(gettext("Embed"), gettext("the markup"), markup(), help, { holds: "embed" });
  const choose = (/** @type {string} */ name, /** @type {boolean} */ on) => {
    if (on) chosen.add(name);
    else chosen.delete(name);
    made.field.value = markup();
  };
  const boxes = PANELS.map(([name, label]) =>
    h(
      "label",
      { class: "share-panel" },
      h("input", {
        type: "checkbox",
        checked: chosen.has(name),
        "data-embed-panel": name,
        onchange: (/** @type {Event} */ event) => choose(name, targetOf(event).checked),
      }),
      label,
    ),
  );
  made.element.append(
    h("div", { class: "share-panels", role: "group", "aria-label": gettext("Parts to show") }, boxes),
  );
  return made;
}

/**
 * `short`, `embed` and `code` are missing for an experiment that the server does not have; `more`: further ways, as
 * elements; `reach`: who can open the links, where that has to be said.
 * @param {{short?: string, paused?: boolean, whole?: string, tooLarge?: string, embed?: string, code?: string,
 *   more?: Node[], reach?: string}} links
 */
export async function shareDialog({ short, paused, whole, tooLarge, embed, code, more = [], reach = "" }) {
  const help = paused
    ? gettext(
        "Anyone with this link sees the run paused at this moment, and can change a copy of it. The link works as " +
          "long as this server stores the experiment.",
      )
    : gettext(
        "Anyone with this link sees the run from this moment, and can change a copy of it. The link works as long " +
          "as this server stores the experiment.",
      );
  const main = { heavy: true, holds: "short" };
  const first = short ? copyRow(gettext("Short link"), gettext("the short link"), short, help, main) : null;
  const held = whole
    ? copyRow(
        gettext("Long link, with the whole experiment"),
        gettext("the long link"),
        whole,
        gettext(
          "This link contains the whole experiment. It works on any server that runs this program; opening it runs " +
            "the experiment again.",
        ),
        { heavy: !short, holds: "whole" },
      )
    : null;
  const frame = embed ? frameRow(embed) : null;
  const image = code
    ? h(
        "figure",
        { class: "share-code" },
        h("img", {
          src: code,
          width: 148,
          height: 148,
          "data-code": true,
          alt: gettext("The short link as a QR code"),
          onerror: (/** @type {Event} */ event) =>
            targetOf(event).replaceWith(h("p", { class: "dialog-note" }, unkept())),
        }),
        h("figcaption", {}, gettext("Scan to open")),
      )
    : null;
  const rows = h(
    "div",
    { class: "share-rows" },
    reachNote(reach),
    [first, held, frame].filter((each) => each !== null).map((each) => each.element),
    tooLarge ? h("p", { class: "dialog-note" }, tooLarge) : null,
  );
  openDialog(
    gettext("Share"),
    h("div", { class: `share-body${image ? "" : " is-plain"}` }, rows, image),
    more.length ? h("div", { class: "share-more" }, more) : "",
  ).classList.add("dialog-wide");
  const copied = first ?? held;
  if (!copied) return;
  copied.field.focus();
  await copied.run(false);
}

/** What the server says when it keeps no more links of an address: it gives no code then. */
function unkept() {
  return gettext(
    "There is no code. This network address may have shared as many experiments as the server keeps: then the short " +
      "link works only while viewers open it. Use the long link, or delete shared experiments.",
  );
}

function reachNote(/** @type {string} */ words) {
  return words ? h("p", { class: "dialog-note", role: "note", "data-reach": true }, words) : null;
}

/** The link under which others follow; `reach`: who can open it, where that has to be said. */
export function presentDialog(/** @type {string} */ link, reach = "") {
  const row = copyRow(
    gettext("Viewer link"),
    gettext("the viewer link"),
    link,
    gettext(
      "Viewers see your moment of the run, your part of the map and your pointer. Latecomers catch up automatically.",
    ),
    { heavy: true, holds: "viewer" },
  );
  openDialog(
    gettext("Presenting"),
    row.element,
    reachNote(reach) ?? "",
    h(
      "p",
      { class: "dialog-note" },
      gettext(
        "The presentation continues until you stop it or leave the page. Viewers can explore on their own and " +
          "rejoin.",
      ),
    ),
  );
  row.field.focus();
  row.run(false);
}
