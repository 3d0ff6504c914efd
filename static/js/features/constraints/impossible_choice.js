/** The choice of what becomes of a task that no machine can ever run. */

import { setAt } from "../../experiment/experiment.js";
import { gettext } from "../../kit/words.js";
import { choice } from "../../experiment/forms/fields.js";

/** @import { ConstraintEditor } from "./constraints.js" */

const PATH = "constraints.impossible_tasks";
const CHOICES = [
  ["", gettext("as the profile says")],
  ["keep", gettext("block their job")],
  ["drop", gettext("are dropped")],
];

/** @param {ConstraintEditor} editor */
export function impossibleChoice(editor) {
  return choice({ label: gettext("Tasks that no machine can run"), path: PATH, choices: CHOICES }, (value) =>
    editor.edit("", (now) => setAt(now, PATH, value || undefined)),
  );
}
