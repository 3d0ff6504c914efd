/** Everything that prevents a run: the server's problems at their controls, refusals, an unreachable server. */

import { problemText } from "../experiment/problems.js";
import { ApiError } from "../contract/api.js";
import { backOff } from "../contract/socket.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Problem } from "../experiment/problems.js"
 * @import { Studio } from "./store.js"
 */

export class Trouble {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.failures = 0;
  }

  /** Show the problems in the server's answer, or none. */
  answered(/** @type {Problem[]} */ problems) {
    this.failures = 0;
    this.show(problems);
  }

  show(/** @type {Problem[]} */ problems) {
    this.studio.problems.value = problems;
    this.studio.editor.problems(problems.map((each) => ({ ...each, text: problemText(each) })));
  }

  /** Report why a request is not done; the run continues. */
  refused(/** @type {Error} */ error) {
    const listed = error instanceof ApiError && error.problems.length;
    const text = listed
      ? error.problems
          .map((/** @type {Problem} */ each) => `${each.path ? `${each.path} ` : ""}${problemText(each)}`)
          .join(" ")
      : error.message;
    this.studio.messages.notice(text, "", 12_000);
  }

  fail(/** @type {Error} */ error) {
    const { messages, running } = this.studio;
    if (error instanceof ApiError && error.problems.length) {
      this.show(error.problems);
      this.studio.status({ state: "invalid" });
      messages.point(error.problems);
    } else if (error instanceof ApiError && error.status === 0) {
      // The controls already show the change, so it must reach the server.
      this.studio.status({ state: "unreachable" });
      messages.notice(error.message, gettext("Try now"));
      running.later(() => this.studio.submit(), backOff(this.failures));
      this.failures += 1;
    } else {
      this.studio.status({ state: "failed", error: error.message });
      if (error instanceof ApiError && error.status === 429) messages.notice(error.message, gettext("Try again"));
    }
  }
}
