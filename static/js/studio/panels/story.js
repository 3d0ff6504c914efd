/** Watch and Play: one number at reading size, the sentences about it, and what goes on now. */

import { measured } from "../../kit/format.js";
import { percentiles } from "../../kit/histogram.js";
import { h } from "../../kit/dom.js";
import { comparedCaption, nowCaption } from "../../run/captions.js";
import { nowSays } from "../../run/says.js";
import { gettext } from "../../kit/words.js";
import { exactOf, filledOf, valuesOf } from "./waiting.js";
import { effect } from "../../kit/view.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 * @import { Studio } from "../store.js"
 */

/**
 * Sentences under the number: how half of the tasks fare, how it was before the last change, what goes on.
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

/** What the numbers of each line count. */
const SAID = ["percentile:p50", "before:p99", "now", null];

export default {
  id: "story",
  place: "right",
  title: gettext("Waiting"),
  question: gettext("How long until a task starts?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const number = h("p", { class: "story-number", "data-story-number": true, "data-says": "percentile:p99" }, "–");
    const lines = SAID.map((says) => h("p", { class: "story-line", "data-says": says }));
    body.append(
      h("p", { class: "story-label" }, gettext("So far, 1 task in 100 waits more than")),
      number,
      h("div", { class: "story-lines", "data-story": true }, lines),
    );
    effect(() => {
      const { meta, figures } = studio;
      if (!meta || !figures) return;
      const name = meta.hists[0]?.name;
      const values = valuesOf(filledOf(figures.hists[name]), exactOf(studio, name));
      const before = percentiles(filledOf(studio.ghostPicture()?.hists[name]));
      number.textContent = typeof values.p99 === "number" ? measured(values.p99) : "–";
      const said = sentences(meta, figures, values, before);
      // The number is the whole run's then, the map one instant's.
      said.push(studio.stage.player.rests ? gettext("The map stands at the run's busiest moment.") : "");
      said.forEach((text, place) => {
        if (lines[place].textContent !== text) lines[place].textContent = text;
      });
    });
  },
};
