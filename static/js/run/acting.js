/** Change a run from an instant on: the server forks the experiment, and the studio continues with the fork. */

import { clock } from "../kit/format.js";
import { gettext } from "../kit/words.js";
import { forkExperiment, getExperiment } from "../contract/api.js";
import { goOn } from "./own_copy.js";

/** @import { Studio } from "../studio/store.js" */

/** Return true if the run on screen can be forked: it must match the current settings. */
export function canAct(/** @type {Studio} */ studio) {
  return Boolean(
    studio.session.value &&
      studio.saved.value &&
      studio.savedFrom.value === studio.experiment.value &&
      !studio.stage.meta?.outline &&
      !studio.touched.value &&
      !studio.next.value,
  );
}

/**
 * Fork the experiment at the events' instant and continue with the fork. Return true on success; `refused(error)` shows
 * an error where the user sees it.
 * @param {{at_s: number, [more: string]: unknown}[]} events
 * @param {string} done
 */
export async function act(
  /** @type {Studio} */ studio,
  events,
  done,
  refused = (/** @type {Error} */ error) => studio.refused(error),
) {
  const at_s = events[0].at_s;
  try {
    studio.messages.notice("");
    const made = await forkExperiment(studio.saved.value?.id ?? "", { at_s, events });
    await goOn(studio, { ...made, ...(await getExperiment(made.id)), owner_token: made.owner_token });
    studio.messages.notice(
      gettext("{done} From {time} on. The old curve stays dashed.", {
        done,
        time: clock(at_s * 1e9, studio.stage.player.store.endNs),
      }),
      "",
      5000,
    );
    return true;
  } catch (error) {
    refused(/** @type {Error} */ (error));
    return false;
  }
}
