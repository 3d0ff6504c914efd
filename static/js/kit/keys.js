/**
 * The keyboard shortcuts as data, which `?` lists. `pages`: where they work. `modules`: which modules listen for them
 * (a test compares this list with every module that listens).
 */

import { gettext } from "./words.js";

/** @type {{title: string, pages: string[], modules: string[], keys: string[][]}[]} */
export const KEY_GROUPS = [
  {
    title: gettext("Time"),
    pages: ["studio", "compare"],
    modules: ["studio/keys.js", "pages/compare.js"],
    keys: [
      [gettext("Space"), gettext("play or pause")],
      ["→", gettext("to the next event")],
      ["←", gettext("to the previous event")],
      [gettext("Home, End"), gettext("to the start, to the end of the run")],
    ],
  },
  {
    title: gettext("Studio"),
    pages: ["studio"],
    modules: ["studio/keys.js", "studio/editing.js", "studio/bar.js"],
    keys: [
      ["Shift + ← →", gettext("jump by a tenth of the run")],
      ["[ ]", gettext("previous event, next event of the chosen kind")],
      ["J", gettext("choose the kind of event")],
      ["F", gettext("start a what-if: change one thing from this instant on")],
      [". ,", gettext("faster, slower")],
      ["+ − 0", gettext("zoom in, zoom out, show the whole map")],
      ["L", gettext("next map layer")],
      ["E", gettext("design the datacenter")],
      ["S", gettext("share")],
      ["T", gettext("while you touch a run: the chosen machine fails or returns")],
      ["P", gettext("projector view")],
      ["Ctrl + Z", gettext("undo")],
      ["Ctrl + Y", gettext("redo")],
      [gettext("Esc"), gettext("unpin the machine; close a dialog or a menu")],
    ],
  },
  {
    title: gettext("Exported page"),
    pages: ["run_page"],
    modules: ["pages/run_page.js"],
    keys: [["T", gettext("while you touch a run: the chosen machine fails or returns")]],
  },
  {
    title: gettext("On the map (press Tab to go there)"),
    pages: ["studio", "landing", "compare", "embed", "class", "class_screen"],
    modules: ["draw/map/map_gestures.js", "features/interventions/interventions.js", "kit/menu.js"],
    keys: [
      [gettext("Arrows"), gettext("go from machine to machine")],
      ["Shift + arrows", gettext("move the map")],
      ["+ − 0", gettext("zoom in, zoom out, show everything")],
      ["Enter", gettext("pin the machine")],
      ["D", gettext("describe every cluster")],
      [gettext("Menu, Shift + F10"), gettext("actions on the machine")],
      [gettext("Enter on a queue"), gettext("actions on the queue")],
    ],
  },
  {
    title: gettext("On a slider or a number"),
    pages: ["studio"],
    modules: [
      "kit/knob.js",
      "experiment/forms/share_bar.js",
      "experiment/forms/fields.js",
      "features/constraints/offer_fields.js",
      "experiment/forms/plot.js",
      "features/constraints/heat_map.js",
      "studio/editor_sheet.js",
    ],
    keys: [
      ["← →", gettext("one step down, one step up")],
      [gettext("Page Up, Page Down"), gettext("ten steps, if the range has them")],
      ["Enter", gettext("accept the typed value")],
      [gettext("Esc"), gettext("keep the former value")],
    ],
  },
  {
    title: gettext("On a picture"),
    pages: ["studio", "compare"],
    modules: [
      "draw/scenes/canvas_picture.js",
      "features/graphs/desk.js",
      "features/graphs/finder.js",
      "features/flow/flow.js",
      "features/flow/flow_asking.js",
      "features/messages/messages.js",
      "features/messages/messages_tools.js",
      "studio/pictures.js",
      "features/composer/strip.js",
      "features/composer/composer_view.js",
      "features/composer/matrix.js",
      "features/composer/matrix_table.js",
    ],
    keys: [
      [gettext("Arrows"), gettext("go from mark to mark, from tab to tab")],
      ["Enter", "choose"],
      ["+ − 0", "zoom"],
      [gettext("Page Up, Page Down"), gettext("on a network: previous round, next round")],
    ],
  },
  {
    title: gettext("In the datacenter editor"),
    pages: ["studio"],
    modules: [
      "features/design/plan.js",
      "features/design/plan_keys.js",
      "features/design/events.js",
      "features/design/dragging.js",
    ],
    keys: [
      [gettext("Arrows"), gettext("go from part to part; on an event's bar: go earlier, go later")],
      ["+ −", gettext("larger, smaller")],
      [gettext("Page Up, Page Down"), gettext("double, half")],
      [gettext("R, Shift + R"), gettext("add a rack, remove a rack")],
      [gettext("Enter, Esc"), gettext("open the exact numbers, and return")],
      [gettext("Space"), gettext("select several clusters")],
      ["Insert", gettext("add a cluster, machines or a queue")],
      ["Ctrl + C, X, V", gettext("copy, cut, paste; also from page to page")],
      ["Ctrl + D", "duplicate"],
      ["S, M", gettext("split, merge")],
      ["Delete", gettext("remove the selection")],
      ["Alt + ← →", gettext("move a cluster, machines to another cluster, a queue to another master")],
      [gettext("Menu, Shift + F10"), gettext("all actions")],
      [gettext("Esc"), gettext("cancel the drag; close")],
    ],
  },
  {
    title: gettext("On a figure (press Tab to go there)"),
    pages: ["study", "compare", "trace"],
    modules: ["draw/charts/figure_keys.js"],
    keys: [
      ["← →", gettext("next point, previous point")],
      ["↑ ↓", gettext("go from line to line, from row to row")],
      [gettext("Home, End"), gettext("first point, last point")],
      ["Enter", gettext("open a run of the point in the studio")],
      [gettext("Esc"), gettext("leave the point")],
    ],
  },
  {
    title: gettext("In the projector view"),
    pages: ["studio"],
    modules: ["features/stage/stage_mode.js"],
    keys: [
      [gettext("→, Page Down"), gettext("next step")],
      [gettext("←, Page Up"), gettext("previous step")],
      [gettext("Mouse button, Shift"), gettext("hold to point")],
      [gettext("P, Esc"), gettext("leave the projector view")],
    ],
  },
  {
    title: gettext("Class"),
    pages: ["class", "class_screen"],
    modules: ["pages/class_screen.js", "features/classes/curve_field.js"],
    keys: [
      ["J", gettext("projector: fill the screen with the code")],
      [gettext("Space"), gettext("projector: play or pause")],
      ["← →", gettext("projector: previous or next event")],
      ["↑ ↓", gettext("curve: move the point that has the focus")],
    ],
  },
  {
    title: gettext("Lesson editor"),
    pages: ["lesson_editor"],
    modules: ["features/classes/lesson_steps.js"],
    keys: [["Alt + ↑ ↓", gettext("move the step with the focus")]],
  },
  {
    title: gettext("Policy editor"),
    pages: ["studio"],
    modules: ["features/policy/editor.js"],
    keys: [
      ["Ctrl + Z", gettext("undo")],
      ["Ctrl + Y", gettext("redo")],
      [gettext("Ctrl + Space"), gettext("suggest words")],
      ["F8", gettext("next problem")],
    ],
  },
  {
    title: gettext("A tour"),
    pages: ["studio"],
    modules: ["features/tours/tour.js"],
    keys: [
      ["→, Enter", "next"],
      ["←", "back"],
      [gettext("Esc"), gettext("leave the tour")],
    ],
  },
  {
    title: gettext("Everywhere"),
    pages: ["*"],
    modules: [
      "kit/page_keys.js",
      "studio/keys.js",
      "kit/tips.js",
      "draw/stage/export_menu.js",
      "experiment/json_editor.js",
    ],
    keys: [
      [gettext("Tab, Shift + Tab"), gettext("next control, previous control")],
      [gettext("Enter, Space"), gettext("press the control")],
      ["Ctrl + Enter", gettext("in the JSON editor: run the experiment")],
      [gettext("Esc"), gettext("close a dialog, a menu, a tip")],
      ["?", gettext("this list")],
    ],
  },
];

/**
 * Return the shortcut groups of a page.
 * @param {string} page
 */
export function keysOf(page) {
  return KEY_GROUPS.filter((group) => group.pages.includes(page) || group.pages.includes("*"));
}
