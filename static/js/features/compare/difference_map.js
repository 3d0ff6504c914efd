/** The map of the difference between two runs. */

import { whole } from "../../kit/format.js";
import { differenceMeta, differencePicture, sameMachines } from "./compared.js";
import { pairColour } from "../../draw/scenes/scene.js";
import { find, isDark } from "../../kit/dom.js";
import { html, render } from "../../kit/view.js";
import { MapView } from "../../draw/map/map.js";
import { gettext } from "../../kit/words.js";

/** @import { ComparePage } from "./side_column.js" */

/** Draw how the two chosen runs differ at the instant. */
export function drawDifference(/** @type {ComparePage} */ page) {
  const [mine, other] = page.two;
  const note = find("difference-note");
  if (!mine?.picture || !other?.picture || !mine.meta || !other.meta || mine === other) {
    note.textContent = gettext("Waiting for both runs…");
    return;
  }
  page.differs = sameMachines(mine.meta, other.meta);
  find("difference").hidden = !page.differs;
  if (!page.differs) {
    note.textContent = gettext("These runs have different machines, so their maps cannot be subtracted.");
    return;
  }
  const names = [page.names[mine.at], page.names[other.at]];
  const key = `${mine.at}:${other.at}:${names}`;
  page.differenceMap ??= new MapView(
    find("difference"),
    {
      point: (machine, x, y) => page.point(machine, x, y),
      moved: () => {
        if (!page.linking && page.differenceMap) page.moved({ map: page.differenceMap, drawn: mine.drawn });
      },
      focus: (machine) => page.say(machine),
    },
    { wheel: "ctrl" },
  );
  if (page.differenceKey !== key) {
    page.differenceKey = key;
    page.subtracted = null;
    page.differenceMap.setMeta(differenceMeta(mine.meta, page.names));
    page.differenceMap.cells.setAttribute(
      "aria-label",
      gettext("Map of the difference between {first} and {second}", { first: names[0], second: names[1] }),
    );
    page.differenceMap.moveTo(mine.map.camera);
    const item = (/** @type {number} */ at) => html`
      <span class="legend-item"
        ><i
          class="legend-swatch"
          aria-hidden="true"
          .style=${`background: ${pairColour([at, 0.8], isDark())}`}
        ></i>${gettext("busier with {name}", { name: page.names[at] })}</span
      >`;
    render([item(mine.at), item(other.at)], find("difference-legend"));
  }
  page.subtracted = differencePicture(
    [mine.meta, other.meta],
    [mine.picture, other.picture],
    [mine.at, other.at],
    page.subtracted,
  );
  page.differenceMap.show(page.subtracted);
  note.textContent = page.subtracted.differ
    ? gettext("{differ} of {machines} machines differ at this moment.", {
        differ: whole(page.subtracted.differ),
        machines: whole(mine.meta.machines),
      })
    : gettext("All machines are equally busy in both runs at this moment.");
}
