/** The rows of the comparison's dialog that vary a parameter, and what was asked last. */

import { valuesAround, valuesFrom } from "../studies/study.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

const LAST = "playground:last-study";

/** What the last study of this tab varied: who looks for a value asks again and again, a little further each time. */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(LAST));
  } catch {
    return null;
  }
}

export function keep(asked) {
  try {
    sessionStorage.setItem(LAST, JSON.stringify(asked));
  } catch {
    /* a browser that keeps nothing asks anew */
  }
}

/** Problems of a plan name its parts by place; people know them by name. */
export function placeWords(path, chosen) {
  const scheduler = /^schedulers\[(\d+)\]/.exec(path);
  if (scheduler) return `${chosen[Number(scheduler[1])]?.label ?? gettext("A scheduler")}:`;
  const axis = /^axes\[(\d+)\](?:\.values\[(\d+)\])?/.exec(path);
  if (axis)
    return [
      Number(axis[1]) ? gettext("Second parameter") : gettext("First parameter"),
      axis[2] ? gettext(", value {place}", { place: Number(axis[2]) + 1 }) : "",
      ":",
    ].join("");
  return path ? `${path}:` : "";
}

function axisFields(label) {
  const select = h("select", {
    class: "knob-select compare-select",
    "aria-label": gettext("{label}: parameter", { label }),
  });
  const path = h("input", {
    class: "field compare-path",
    type: "text",
    placeholder: gettext("path, such as queues[0].share"),
    "aria-label": gettext("{label}: path", { label }),
    spellcheck: "false",
    hidden: true,
  });
  const values = h("input", {
    class: "field compare-values",
    type: "text",
    placeholder: gettext("values: 1, 3, 10"),
    "aria-label": gettext("{label}: values, separated by commas", { label }),
    spellcheck: "false",
    disabled: true,
  });
  const element = h(
    "div",
    { class: "compare-row" },
    h("span", { class: "compare-label" }, label),
    select,
    path,
    values,
  );
  return { element, select, path, values };
}

/** A parameter and its values. */
export function axisRow(label) {
  const { element, select, path, values } = axisFields(label);
  const row = {
    element,
    onchange: () => {},
    axis() {
      const at = select.value === "other" ? path.value.trim() : select.value;
      const list = valuesFrom(values.value);
      return at && list.length ? { path: at, values: list } : null;
    },
    typed: () => ({ select: select.value, path: path.value, values: values.value }),
    /** Fill in what was typed before, as far as it is offered. */
    type(before) {
      if (!before?.select || ![...select.options].some((each) => each.value === before.select)) return;
      select.value = before.select;
      path.value = before.path;
      path.hidden = select.value !== "other";
      values.disabled = false;
      values.value = before.values;
    },
    offer(groups) {
      const kept = select.value;
      row.options = groups.flatMap((each) => each.options);
      select.replaceChildren(
        h("option", { value: "" }, label === "Vary" ? gettext("nothing (more seeds only)") : gettext("nothing else")),
        ...groups.map((each) =>
          h(
            "optgroup",
            { label: each.group },
            each.options.map((one) => h("option", { value: one.path }, one.label)),
          ),
        ),
        h("option", { value: "other" }, gettext("another field…")),
      );
      select.value = [...select.options].some((each) => each.value === kept) ? kept : "";
      values.disabled = !select.value;
    },
  };
  select.addEventListener("change", () => {
    path.hidden = select.value !== "other";
    values.disabled = !select.value;
    const option = row.options.find((each) => each.path === select.value);
    values.value = option ? valuesAround(option).join(", ") : "";
    row.onchange();
  });
  for (const input of [path, values]) input.addEventListener("input", () => row.onchange());
  return row;
}
