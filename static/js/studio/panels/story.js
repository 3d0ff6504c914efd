/** Watch and Play: one large number, sentences about it, and what happens now. */

import { measured } from "../../kit/format.js";
import { percentiles } from "../../kit/histogram.js";
import { comparedCaption, nowCaption } from "../../run/captions.js";
import { nowSays } from "../../run/says.js";
import { gettext } from "../../kit/words.js";
import { exactOf, filledOf, valuesOf } from "./waiting.js";
import { html, nothing, show } from "../../kit/view.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 * @import { Studio } from "../store.js"
 */

/**
 * Return the sentences below the number: half of the tasks, the state before the last change, what happens now.
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {Record<string, number | null>} values
 * @param {Record<string, number | null>} before
 */
function sentences(meta, picture, values, before) {
  const half =
    typeof values.p50 !== "number"
      ? ""
      : values.p50 < 1e3
        ? gettext("Half of the tasks start at once.")
        : gettext("Half of the tasks wait less than {p50}.", { p50: measured(values.p50) });
  const { busy, ...more } = nowSays(meta, picture);
  const now = busy === null ? "" : nowCaption({ busy, ...more });
  return [half, comparedCaption(values.p99, before.p99), now];
}

/** The names of the numbers that each line states. */
const SAID = ["percentile:p50", "before:p99", "now", null];

/**
 * Return the number and the sentences at the current instant.
 * @returns {{number: string, lines: string[], rests?: boolean, isWhole?: boolean}}
 */
function toldOf(/** @type {Studio} */ studio) {
  const meta = studio.meta.value;
  const figures = studio.figures.value;
  if (!meta || !figures) return { number: "–", lines: [] };
  const name = meta.hists[0]?.name;
  const values = valuesOf(filledOf(figures.hists[name]), exactOf(studio, name));
  const before = percentiles(filledOf(studio.ghostPicture()?.hists[name]));
  const lines = sentences(meta, figures, values, before);
  // After the run's end, the number is that of the whole run, and the map shows one instant of it.
  const { rests } = studio.stage.player;
  if (rests) lines.push(gettext("The map stands at the run's busiest moment."));
  return {
    number: typeof values.p99 === "number" ? measured(values.p99) : "–",
    lines,
    rests,
    isWhole: studio.isAtEnd(),
  };
}

export default {
  id: "story",
  place: "right",
  title: gettext("Waiting"),
  question: gettext("How long until a task starts?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    show(body, () => {
      const { number, lines, rests, isWhole } = toldOf(studio);
      const label = isWhole
        ? gettext("In the whole run, 1 task in 100 waits more than")
        : gettext("So far, 1 task in 100 waits more than");
      return html`<p class="story-label">${label}</p>
        <p class="story-number" data-story-number data-says="percentile:p99">${number}</p>
        <div class="story-lines" data-story ?data-rests=${rests}>
          ${SAID.map((says, place) => html`<p class="story-line" data-says=${says ?? nothing}>${lines[place]}</p>`)}
        </div>`;
    });
  },
};
