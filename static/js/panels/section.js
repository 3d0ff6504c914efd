/** A section of knobs from specs: the first ones always shown, the rest behind "more". */

import { getAt } from "../lib/experiment.js";
import { h } from "../views/dom.js";
import { knob } from "../views/knob.js";

/** `specs`: knobs with {path, read?, write?(experiment, value), when?(experiment)}; `shown`: how many are not folded. */
export function knobSection(body, studio, specs, shown = 3) {
  const sum = h("span", { class: "section-sum" });
  const more = h("details", { class: "more" }, h("summary", {}, "more", sum));
  const knobs = specs.map((spec, place) => {
    const control = knob(spec, (value) => studio.edit(spec.path, value, spec.write));
    (place < shown ? body : more).append(control.element);
    return { spec, control };
  });
  if (specs.length > shown) body.append(more);
  return {
    sum,
    experiment(experiment) {
      for (const { spec, control } of knobs) {
        const applies = !spec.when || spec.when(experiment, studio);
        control.element.hidden = !applies;
        if (!applies) continue;
        control.set((spec.read ? spec.read(experiment) : getAt(experiment, spec.path)) ?? spec.default);
        control.disable(studio.readOnly);
      }
    },
    problems(problems) {
      for (const { spec, control } of knobs) {
        const found = problems.find((problem) => matches(problem.path, spec.path));
        control.problem(found ? studio.problemText(found) : "");
        if (found && more.contains(control.element)) more.open = true;
      }
    },
  };
}

function matches(problemPath, knobPath) {
  return problemPath === knobPath || problemPath.startsWith(`${knobPath}.`) || problemPath.startsWith(`${knobPath}[`);
}
