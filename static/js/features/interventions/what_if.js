/** One change from the viewer's instant on: a parameter, a share, a fault. Doing it forks the run. */

import { problemText } from "../../experiment/problems.js";
import { clock, percent, withUnit } from "../../kit/format.js";
import { typedNumber } from "../../kit/typed.js";
import { changesFor } from "./changes.js";
import { openDialog } from "../../kit/dialogs.js";
import { h, part } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Stage } from "../../draw/stage/stage.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Change } from "./changes.js"
 */

/**
 * @typedef {(events: any[], words: string, refused: (error: any) => void) => Promise<boolean>} Forking
 */

/** `fork(events, words, refused)` does it and says whether it was done, or by `refused(error)` why not. */
export function whatIf(/** @type {Studio} */ studio, /** @type {Forking} */ fork) {
  const { stage, opened: experiment, chosen } = studio;
  if (!stage.meta) return;
  const t_s = Math.round(stage.player.t_ns / 1e6) / 1e3;
  /** @type {Change[]} */
  const changes = changesFor({ experiment, scheduler: chosen, meta: stage.meta });
  if (!changes.length) {
    studio.messages.notice(
      gettext("{label} supports no changes during a run.", { label: chosen?.label ?? gettext("This scheduler") }),
      "",
      6000,
    );
    return;
  }
  const { dialog, what, value, help, trouble, go } = dialogFor(changes, t_s, stage);
  let read = () => /** @type {any} */ (null);
  const say = (/** @type {string} */ text) => {
    trouble.textContent = text;
    trouble.hidden = false;
  };

  const choose = () => {
    const change = changes[Number(what.value)];
    help.replaceChildren(
      change.help,
      h("br"),
      gettext("Nothing before this moment changes. The original stays visible, dashed."),
    );
    trouble.hidden = true;
    const field = change.kind === "choice" ? choiceField(change) : numberField(change);
    read = field.read;
    value.replaceChildren(field.element);
  };
  what.addEventListener("change", choose);
  choose();
  go.addEventListener("click", async () => {
    const change = changes[Number(what.value)];
    const wanted = read();
    if (typeof wanted === "number" && !Number.isFinite(wanted)) {
      say(gettext("Type a number."));
      return;
    }
    trouble.hidden = true;
    go.disabled = true;
    const done = await fork(
      [{ at_s: t_s, ...change.event(wanted) }],
      `${change.label}: ${toldValue(change, wanted)}.`,
      (error) => say(error.problems?.length ? problemText(error.problems[0]) : error.message),
    );
    go.disabled = false;
    if (done) dialog.close();
  });
}

/**
 * The dialog with its parts: the choice of a change, a place for its value, help, what is wrong, the button.
 * @param {Change[]} changes
 * @param {number} t_s
 * @param {Stage} stage
 */
function dialogFor(changes, t_s, stage) {
  const what = h(
    "select",
    { class: "knob-select", "aria-label": gettext("What changes") },
    changes.map((each, at) => h("option", { value: at }, each.label)),
  );
  const value = h("div", {});
  const help = h("p", { class: "dialog-note" });
  const trouble = h("p", { class: "dialog-trouble", role: "alert", hidden: true });
  const go = h(
    "button",
    { type: "button", class: "button button-heavy", "data-fork-here": "" },
    gettext("Run this what-if"),
  );
  const dialog = openDialog(
    gettext("What if, from {time} on…", { time: clock(t_s * 1e9, stage.player.store.endNs) }),
    h(
      "div",
      { class: "what-if" },
      h(
        "div",
        { class: "what-if-two" },
        h("label", { class: "trace-field" }, h("span", {}, gettext("Change")), what),
        value,
      ),
      help,
      trouble,
    ),
  );
  part(".dialog-end", dialog).append(go);
  return { dialog, what, value, help, trouble, go };
}

/** A field for one of several values: {element, read()}. */
function choiceField(/** @type {Change} */ change) {
  const select = h(
    "select",
    { class: "knob-select" },
    (change.choices ?? []).map((each) => h("option", { value: JSON.stringify(each.value) }, each.label)),
  );
  select.value = JSON.stringify(change.start);
  return {
    element: h("label", { class: "trace-field" }, h("span", {}, gettext("New value")), select),
    read: () => JSON.parse(select.value),
  };
}

/** A field for a number; what it reads is NaN where the text is none. */
function numberField(/** @type {Change} */ change) {
  const field = h("input", {
    class: "field",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    value: String(change.start),
  });
  const now =
    change.now === undefined
      ? ""
      : gettext("; now {now}", {
          now: change.unit === "%" ? percent(change.now / 100) : withUnit(change.now, change.unit),
        });
  const label = `${gettext("New value")}${change.unit ? ` (${change.unit})` : ""}${now}`;
  return {
    element: h("label", { class: "trace-field" }, h("span", {}, label), field),
    read() {
      const typed = typedNumber(field.value.replace("%", ""), { unit: change.unit });
      return typed === null ? NaN : typed / (change.unit === "%" ? 100 : 1);
    },
  };
}

/**
 * @param {Change} change
 * @param {any} wanted
 */
function toldValue(change, wanted) {
  if (change.kind === "choice")
    return (
      change.choices?.find((each) => JSON.stringify(each.value) === JSON.stringify(wanted))?.label ?? String(wanted)
    );
  return change.unit === "%" ? percent(wanted) : withUnit(wanted, change.unit);
}
