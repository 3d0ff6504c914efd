/** The share dialog: a short link, a link that contains the experiment, markup for a page, a QR code. */

import { copyRow } from "../../kit/copy_row.js";
import { gettext } from "../../kit/words.js";
import { openDialog } from "../../kit/dialogs.js";
import { targetOf } from "../../kit/dom.js";
import { element, html, nothing, signal } from "../../kit/view.js";

const PANELS = [
  ["map", "map"],
  ["legend", "legend"],
  ["play", gettext("playback controls")],
  ["waits", "waits"],
  ["counters", "counters"],
  ["timeline", gettext("timeline")],
];
const USUAL = ["map", "legend", "play"];
const SCAN = html`<figcaption>${gettext("Scan to open")}</figcaption>`;

/** Return markup for a page or a slide with the chosen panels. */
function frameRow(/** @type {string} */ embed) {
  const chosen = signal(USUAL);
  const markup = () => {
    const address = new URL(embed);
    if ([...chosen.value].sort().join() !== [...USUAL].sort().join())
      address.searchParams.set(
        "panels",
        PANELS.map(([name]) => name)
          .filter((name) => chosen.value.includes(name))
          .join("."),
      );
    return `<iframe src="${address}" width="800" height="520" title="Scheduler Playground"></iframe>`;
  };
  const choose = (/** @type {string} */ name, /** @type {boolean} */ on) => {
    chosen.value = [...chosen.value.filter((each) => each !== name), ...(on ? [name] : [])];
  };
  const panels = () => html`
    <div class="share-panels" role="group" aria-label=${gettext("Parts to show")}
      >${PANELS.map(
        ([name, label]) => html`
          <label class="share-panel"
            ><input
              type="checkbox"
              data-embed-panel=${name}
              .checked=${chosen.value.includes(name)}
              @change=${(/** @type {Event} */ event) => choose(name, targetOf(event).checked)}
            />${label}</label
          >`,
      )}</div
    >`;
  const help = gettext("Shows only the selected parts.");
  return copyRow(gettext("Embed"), gettext("the markup"), markup, help, { holds: "embed", more: panels });
}

/**
 * Open the dialog. `short`, `embed` and `code` are missing for an experiment that is not stored; `more`: further views;
 * `reach`: a note on who can open the links.
 * @param {{short?: string, paused?: boolean, whole?: string, tooLarge?: string, embed?: string, code?: string,
 *   more?: unknown, reach?: string}} links
 */
export async function shareDialog({ short, paused, whole, tooLarge, embed, code, more, reach = "" }) {
  const first = short ? shortRow(short, Boolean(paused)) : null;
  const held = whole ? wholeRow(whole, !short) : null;
  openDialog(
    gettext("Share"),
    html`
      <div class=${code ? "share-body" : "share-body is-plain"}>
        <div class="share-rows">
          ${reachView(reach)}${first?.element}${held?.element}${embed ? frameRow(embed).element : nothing}${
            tooLarge ? html`<p class="dialog-note">${tooLarge}</p>` : nothing
          }
        </div>
        ${code ? codeView(code) : nothing}
      </div>
      ${more ? html`<div class="share-more">${more}</div>` : nothing}`,
  ).classList.add("dialog-wide");
  const copied = first ?? held;
  if (!copied) return;
  copied.field.focus();
  await copied.run(false);
}

/**
 * @param {string} link
 * @param {boolean} paused
 */
function shortRow(link, paused) {
  const help = paused
    ? gettext(
        "Anyone with this link sees the run paused at this moment, and can change a copy of it. The link works as " +
          "long as this server stores the experiment.",
      )
    : gettext(
        "Anyone with this link sees the run from this moment, and can change a copy of it. The link works as long " +
          "as this server stores the experiment.",
      );
  return copyRow(gettext("Short link"), gettext("the short link"), link, help, { heavy: true, holds: "short" });
}

/**
 * @param {string} link
 * @param {boolean} heavy
 */
function wholeRow(link, heavy) {
  const help = gettext(
    "This link contains the whole experiment. It works on any server that runs this program; opening it runs " +
      "the experiment again.",
  );
  const name = gettext("Long link, with the whole experiment");
  return copyRow(name, gettext("the long link"), link, help, { heavy, holds: "whole" });
}

/** Return the QR code. The server returns none if it stores no more links for this address. */
function codeView(/** @type {string} */ code) {
  const refused = signal(false);
  return element("figure", "share-code", () =>
    refused.value
      ? html`<p class="dialog-note">${unkept()}</p>${SCAN}`
      : html`<img
            src=${code}
            width="148"
            height="148"
            data-code
            alt=${gettext("The short link as a QR code")}
            @error=${() => {
              refused.value = true;
            }}
          />${SCAN}`,
  );
}

function unkept() {
  return gettext(
    "There is no code. This network address may have shared as many experiments as the server keeps: then the short " +
      "link works only while viewers open it. Use the long link, or delete shared experiments.",
  );
}

/** Return the note on who can open the links, if there is one. */
const reachView = (/** @type {string} */ words) =>
  words ? html`<p class="dialog-note" role="note" data-reach>${words}</p>` : nothing;

/** Open the dialog with the viewer link; `reach`: a note on who can open it. */
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
    html`${row.element}${reachView(reach)}
      <p class="dialog-note">${gettext(
        "The presentation continues until you stop it or leave the page. Viewers can explore on their own and " +
          "rejoin.",
      )}</p>`,
  );
  row.field.focus();
  row.run(false);
}
