/** The queues as one bar to 100 %. */

import { queuesOf } from "../lib/experiment.js";
import { h } from "../views/dom.js";
import { shareBar } from "../views/share_bar.js";

export default {
  id: "queues", place: "left", title: "Queues", question: "Who may count on what?",
  mount(body, studio) {
    const bar = shareBar((queues) => studio.edit("queues", queues));
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    body.append(bar.element, problem);
    return {
      experiment(experiment) { bar.set(queuesOf(experiment)); bar.disable(studio.readOnly); },
      problems(problems) {
        const found = problems.find((each) => each.path.startsWith("queues"));
        problem.hidden = !found;
        problem.textContent = found ? studio.problemText(found) : "";
      },
    };
  },
};
