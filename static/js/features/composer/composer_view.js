/** The views of the picture of stages: the toolbar, the diagram, and the keys that move between stages. */

import { classMap, html, ifDefined, live, nothing } from "../../kit/view.js";
import { targetOf } from "../../kit/dom.js";
import { levelNow } from "../../kit/level_now.js";
import { gettext } from "../../kit/words.js";
import { cardView } from "./card.js";
import { countStates, NONE, policyWhenOn, STATES } from "./pipeline.js";

/** @typedef {Event & {target: HTMLInputElement}} OfField  an event of a field */

/**
 * @import { Composer } from "./composer.js"
 * @import { State } from "./pipeline.js"
 * @import { Group, Stage } from "./reference.js"
 */

/** @type {State[]} */
const STATES_TOLD = ["chosen", "open", "always", "absent"];
const ROWS = 7; // the longest group has two columns
/** The list and the position in it that an arrow key moves by. @type {Record<string, number[]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @param {Composer} composer */
export function toolsView(composer) {
  const tip = gettext("On: a changed policy applies from the clock's instant on. Off: it applies from the beginning.");
  return html`<p class="picture-key" role="status">${composer.reference ? sumWords(composer) : ""}</p>
    <label class="picture-key picture-label" data-tip=${tip}
      ><input
        type="checkbox"
        data-from-now
        .checked=${live(composer.later)}
        @change=${(/** @type {OfField} */ event) => composer.changeLater(event.target.checked)}
      />${gettext("From now on")}</label
    >
    ${opensView(
      composer,
      "matrix",
      gettext("Matrix…"),
      gettext("Which stages fourteen published schedulers have; load one as a pipeline."),
    )}
    ${opensView(
      composer,
      "open_stages",
      gettext("Spread…"),
      gettext("Vary the policies of open stages and see how far the results spread."),
    )}`;
}

/**
 * @param {Composer} composer
 * @param {string} name
 * @param {string} title
 * @param {string} tip
 */
const opensView = (composer, name, title, tip) =>
  html`<button
    type="button"
    class="button button-small"
    data-opens=${name}
    data-tip=${tip}
    @click=${() => composer.open(name)}
  >${title}</button>`;

/**
 * Return how many stages are in each state, and the pipeline's preset.
 * @param {Composer} composer
 */
function sumWords({ composes, stages, facts: { params, defaults, preset } }) {
  if (!composes) return gettext("The chosen scheduler is not a pipeline. The picture shows the previous run.");
  const counts = countStates(stages, params, defaults);
  const told = STATES_TOLD.filter((state) => counts[state]).map(
    (state) => `${STATES[state].sign} ${counts[state]} ${STATES[state].word}`,
  );
  return [...(preset ? [`${preset.name}:`] : []), ...told].join("   ");
}

/** @param {Composer} composer */
export function gridView(composer) {
  return html`<div
    class="stage-grid"
    role="group"
    aria-label=${gettext("Stages")}
    data-dragging=${ifDefined(composer.dragged ?? undefined)}
    ?inert=${levelNow() !== "lab"}
    @keydown=${(/** @type {KeyboardEvent} */ event) => onKey(composer, event)}
  >
    ${composer.reference?.groups.map((group) => groupView(composer, group))}
  </div>`;
}

/**
 * @param {Composer} composer
 * @param {Group} group
 */
function groupView(composer, { id, name }) {
  const stages = composer.stages.filter((stage) => stage.group === id);
  const isLong = stages.length > ROWS;
  const list = (/** @type {Stage[]} */ part, /** @type {string} */ label) =>
    html`<ol class="stage-list" aria-label=${label}>${part.map((stage) => stageView(composer, stage))}</ol>`;
  return html`<section class=${classMap({ "stage-group": true, "is-long": isLong })} aria-label=${name}>
    <h2 class="stage-group-name"><b>${id}</b> ${name}</h2>
    ${list(stages.slice(0, ROWS), gettext("{name}, first stages", { name }))}
    ${isLong ? list(stages.slice(ROWS), gettext("{name}, further stages", { name })) : nothing}
  </section>`;
}

/**
 * @param {Composer} composer
 * @param {Stage} stage
 */
function stageView(composer, stage) {
  const { id } = stage;
  const { cards, defaults } = composer.facts;
  const facts = cards.get(id);
  if (!facts) return nothing;
  return cardView(
    {
      ...facts,
      stage,
      time: composer.now?.shares.get(id) ?? null,
      lit: composer.now?.lit.has(id) ?? false,
      chosen: composer.chosen === stage,
      tabStop: composer.tabStop === id,
      problem: composer.trouble.get(id)?.join(" ") ?? "",
      wanted: composer.dragged === id,
      over: composer.over === id,
    },
    {
      select: () => composer.select(id),
      put: (policy) => composer.put(stage, policy),
      toggle: (on) => composer.put(stage, on ? policyWhenOn(stage, defaults, composer.had.get(id)) : NONE),
      hover: (over) => composer.hover(over ? id : null),
    },
  );
}

/**
 * Arrow keys move between stages, within a list and between lists.
 * @param {Composer} composer
 * @param {KeyboardEvent} event
 */
function onKey(composer, event) {
  const step = ARROWS[event.key];
  const from = targetOf(event);
  if (!step || !from.matches(".stage-head")) return;
  event.preventDefault();
  event.stopPropagation();
  const grid = /** @type {HTMLElement} */ (event.currentTarget);
  const lists = [...grid.querySelectorAll(".stage-list")].map((list) => [...list.querySelectorAll(".stage-head")]);
  const column = lists.findIndex((list) => list.includes(from));
  const row = lists[column].indexOf(from);
  const list = lists[Math.min(lists.length - 1, Math.max(0, column + step[0]))];
  const next = list[Math.min(list.length - 1, Math.max(0, row + step[1]))];
  composer.stopAt(next.dataset.stageHead ?? "");
  next.focus();
}
