/** The part of an exported page that simulates: the run again, with failures, and under other settings. */

import { canSimulate } from "../../engine/here.js";
import { setAt } from "../../experiment/experiment.js";
import { LinkError, toFragment } from "../../experiment/fragment.js";
import { save } from "../../kit/saving.js";
import { html, nothing, show } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { Check, checkView } from "./check.js";
import { placesOf, settingsView } from "./settings_view.js";
import { Touch } from "./touch.js";
import { changedView, touchView } from "./touch_view.js";

/** @import { Experiment } from "../../experiment/experiment.js" */
/** @import { ToldSetting } from "./settings_view.js" */
/** @import { Touchable } from "./touch.js" */

/**
 * What the file says of its run. `cited` is the digest of its outcome, `studio` the address of the server's studio,
 * `version` the library's. `touchable`: machines can be made to fail.
 * @typedef {{experiment: Experiment, cited: string, studio: string, version: string, settings: ToldSetting[],
 *   touchable: boolean}} Boot
 */

const NOTE = gettext(
  "The page draws neither tasks nor all layers and counters of a changed run. The server draws all of them.",
);

/** Return the experiment that the reader sees: with the settings' values and the failures. */
function changedExperiment(/** @type {Boot} */ { experiment, settings }, /** @type {Touch} */ touch) {
  const at = placesOf(touch, settings);
  /** @type {Experiment} */
  let changed = experiment;
  for (const [place, { path, values, own }] of settings.entries())
    if (at[place] !== own) changed = setAt(changed, path, values[at[place]]);
  const failures = touch.failures.value;
  return failures.length ? { ...changed, events: [...(experiment.events ?? []), ...failures] } : changed;
}

/** Return the address at which the server opens an experiment, or "" where it is too long for a link. */
function addressOf(/** @type {Boot} */ { studio, version }, /** @type {Experiment} */ experiment) {
  try {
    return studio + toFragment(experiment, version);
  } catch (error) {
    if (error instanceof LinkError) return "";
    throw error;
  }
}

/** Show the ways on from a changed run: to the server, and to a file. */
function waysView(/** @type {Boot} */ boot, /** @type {Touch} */ touch) {
  const changed = changedExperiment(boot, touch);
  const address = addressOf(boot, changed);
  const download = () => {
    const text = `${JSON.stringify({ ...changed, rules: boot.version }, null, 2)}\n`;
    save("experiment.json", new Blob([text], { type: "application/json" }));
  };
  return html`
    ${
      address
        ? html`<a class="button" href=${address} rel="noopener" data-touch-open
            >${gettext("Open in the playground")}</a
          >`
        : nothing
    }
    <button class="button" type="button" data-touch-file @click=${download}
      >${gettext("Experiment as a file")}</button
    >`;
}

/**
 * Simulate the run at once, say whether the result is the cited one, and let the reader change the run.
 * @param {HTMLElement} place
 * @param {Boot} boot
 * @param {Touchable} run
 * @returns {Touch}
 */
export function showExported(place, boot, run) {
  const [check, touch] = [new Check(), new Touch(() => run)];
  const source = {
    script: run.script,
    type: run.type,
    parts: async () => {
      const { start, module, header } = await touch.parts(run);
      return { start: start.slice(0), module: (await module(header.module)).slice(0) };
    },
  };
  show(place, () => {
    const { cited, settings, touchable } = boot;
    if (!canSimulate()) return checkView(check, { cited, source });
    const around = { run, settings, note: NOTE, ways: waysView(boot, touch) };
    return html`
      ${checkView(check, { cited, source })} ${settings.length ? settingsView(touch, settings) : nothing}
      ${touchable ? touchView(touch, around) : changedView(touch, around)}`;
  });
  if (canSimulate()) check.run(source);
  return touch;
}
