/** One change from the viewer's instant on: a parameter, a share, a fault. Doing it forks the run. */

import { problemText } from "../../experiment/problems.js";
import { clock, percent, withUnit } from "../../kit/format.js";
import { typedNumber } from "../../kit/typed.js";
import { changesFor, faultEvents, faultTrouble } from "./changes.js";
import { openDialog } from "../../kit/dialogs.js";
import { h, part } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Stage } from "../../draw/stage/stage.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Change, Fault, Reach } from "./changes.js"
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
    const field = fieldOf(change, t_s);
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
    const reach = change.reaches?.find((each) => each.value === wanted.of);
    const wrong = reach ? faultTrouble(wanted, reach, t_s) : "";
    if (wrong) {
      say(wrong);
      return;
    }
    trouble.hidden = true;
    go.disabled = true;
    const machines = stage.meta?.machines ?? 0;
    const done = await fork(
      reach ? faultEvents(wanted, machines) : [{ at_s: t_s, ...change.event(wanted) }],
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
    changes.map((each, at) => h("option", { value: at, "data-change": each.does }, each.label)),
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

/** What asks for the value of a change: {element, read()}. */
function fieldOf(/** @type {Change} */ change, /** @type {number} */ t_s) {
  if (change.kind === "fault") return faultFields(change.reaches ?? [], t_s);
  return change.kind === "choice" ? choiceField(change) : numberField(change);
}

/**
 * Fields for what fails, when and for how long: {element, read()}.
 * @param {Reach[]} reaches
 * @param {number} t_s
 */
function faultFields(reaches, t_s) {
  const typed = (/** @type {string} */ value) =>
    h("input", { class: "field", type: "text", inputmode: "decimal", autocomplete: "off", value });
  const of = h(
    "select",
    { class: "knob-select" },
    reaches.map(({ value, label, unit }) => h("option", { value }, unit ? `${label} (${unit})` : label)),
  );
  const [number, at, lasts] = [typed(String(reaches[0].start)), typed(String(t_s)), typed("")];
  number.setAttribute("aria-label", gettext("Its number, or the share in percent"));
  of.addEventListener("change", () => {
    number.value = String(reaches.find((each) => each.value === of.value)?.start ?? 0);
  });
  const field = (/** @type {string} */ label, /** @type {HTMLElement[]} */ ...inputs) =>
    h("label", { class: "trace-field" }, h("span", {}, label), ...inputs);
  const read = () => {
    const seconds = lasts.value.trim();
    return /** @type {Fault} */ ({
      of: of.value,
      number: typedNumber(number.value.replace("%", "")) ?? NaN,
      at_s: typedNumber(at.value, { unit: "s" }) ?? NaN,
      duration_s: seconds ? (typedNumber(seconds, { unit: "s" }) ?? NaN) : null,
    });
  };
  lasts.placeholder = gettext("for good");
  const element = h(
    "div",
    { class: "what-if" },
    h("div", { class: "trace-field" }, h("label", {}, h("span", {}, gettext("What fails")), of), number),
    field(gettext("When, in seconds"), at),
    field(gettext("For how long, in seconds"), lasts),
  );
  return { element, read };
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
  if (change.kind === "fault") {
    const reach = change.reaches?.find((each) => each.value === wanted.of);
    return `${reach?.label ?? ""} ${withUnit(wanted.number, reach?.unit ?? "")}`;
  }
  if (change.kind === "choice")
    return (
      change.choices?.find((each) => JSON.stringify(each.value) === JSON.stringify(wanted))?.label ?? String(wanted)
    );
  return change.unit === "%" ? percent(wanted) : withUnit(wanted, change.unit);
}
