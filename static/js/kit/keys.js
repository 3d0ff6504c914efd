/**
 * The keys that the page knows, as data: what `?` lists. `pages`: where they work; `modules`: who listens for them (a
 * test holds every module that listens against this list).
 */

/** @type {{title: string, pages: string[], modules: string[], keys: string[][]}[]} */
export const KEY_GROUPS = [
  {
    title: "Time",
    pages: ["studio", "compare"],
    modules: ["studio/keys.js", "pages/compare.js"],
    keys: [
      ["Space", "play or pause"],
      ["→", "to the next event"],
      ["←", "to the previous event"],
      ["Home, End", "start, end"],
    ],
  },
  {
    title: "Studio",
    pages: ["studio"],
    modules: ["studio/keys.js", "studio/editing.js", "studio/bar.js"],
    keys: [
      ["Shift + ← →", "jump by a tenth of the run"],
      ["[ ]", "to the previous, the next one of what the time line jumps to"],
      ["J", "choose what to jump to"],
      ["F", "what if: change one thing from here on"],
      [". ,", "faster, slower"],
      ["+ − 0", "zoom the map in, out, to everything"],
      ["L", "next map layer"],
      ["E", "design the datacenter"],
      ["S", "share"],
      ["Ctrl + Z", "undo"],
      ["Ctrl + Y", "redo"],
      ["Esc", "unpin; close what is open"],
    ],
  },
  {
    title: "On the map (Tab goes there)",
    pages: ["studio", "landing", "compare", "embed"],
    modules: ["map/map_gestures.js", "features/interventions/interventions.js", "kit/menu.js"],
    keys: [
      ["Arrows", "from machine to machine"],
      ["Shift + arrows", "move the map"],
      ["+ − 0", "zoom in, out, to everything"],
      ["Enter", "pin the machine"],
      ["D", "say every cluster"],
      ["Menu, Shift + F10", "what may be done to the machine"],
      ["Enter on a queue", "what may be done to the queue"],
    ],
  },
  {
    title: "On a knob",
    pages: ["studio"],
    modules: [
      "kit/knob.js",
      "studio/panels/share_bar.js",
      "features/editors/fields.js",
      "features/constraints/offer_rows.js",
      "features/editors/plot.js",
      "features/constraints/heat_map.js",
      "features/editors/sheet.js",
    ],
    keys: [
      ["← →", "a step down, a step up"],
      ["Page Up, Page Down", "ten steps, where there are so many"],
      ["Enter", "take what was typed"],
      ["Esc", "leave it as it was"],
    ],
  },
  {
    title: "On a picture",
    pages: ["studio", "compare"],
    modules: [
      "kit/canvas_picture.js",
      "features/graphs/desk.js",
      "features/graphs/finder.js",
      "features/flow/flow.js",
      "features/messages/messages.js",
      "studio/pictures.js",
      "features/composer/strip.js",
      "features/composer/composer.js",
      "features/composer/matrix.js",
    ],
    keys: [
      ["Arrows", "from mark to mark, from tab to tab"],
      ["Enter", "choose"],
      ["+ − 0", "zoom"],
      ["Page Up, Page Down", "on a network: the round before, the next"],
    ],
  },
  {
    title: "On the datacenter that is laid out",
    pages: ["studio"],
    modules: [
      "features/design/plan.js",
      "features/design/plan_keys.js",
      "features/design/events.js",
      "features/design/dragging.js",
    ],
    keys: [
      ["Arrows", "from part to part; on a bar of an event: earlier, later"],
      ["+ −", "larger, smaller"],
      ["Page Up, Page Down", "double, half"],
      ["R, Shift + R", "a rack more, a rack less"],
      ["Enter, Esc", "to its exact numbers, and back"],
      ["Space", "select several clusters"],
      ["Insert", "add a cluster, machines or a queue"],
      ["Ctrl + C, X, V", "copy, cut, paste; also from page to page"],
      ["Ctrl + D", "duplicate"],
      ["S, M", "split, merge"],
      ["Delete", "take it away"],
      ["Alt + ← →", "move a cluster, machines to another cluster, a queue to another master"],
      ["Menu, Shift + F10", "all that may be done"],
      ["Esc", "put back what is dragged; close"],
    ],
  },
  {
    title: "On a figure (Tab goes there)",
    pages: ["study", "compare", "trace"],
    modules: ["features/figures/figure_keys.js"],
    keys: [
      ["← →", "from point to point"],
      ["↑ ↓", "from line to line, from row to row"],
      ["Home, End", "first point, last point"],
      ["Enter", "open a run of the point in the studio"],
      ["Esc", "leave the point"],
    ],
  },
  {
    title: "A tour",
    pages: ["studio"],
    modules: ["features/tours/tour.js"],
    keys: [
      ["→, Enter", "next"],
      ["←", "back"],
      ["Esc", "leave the tour"],
    ],
  },
  {
    title: "Everywhere",
    pages: ["*"],
    modules: ["kit/page_keys.js", "studio/keys.js", "kit/tips.js", "run/export_menu.js", "experiment/json_editor.js"],
    keys: [
      ["Tab, Shift + Tab", "to the next control, to the one before"],
      ["Enter, Space", "press it"],
      ["Ctrl + Enter", "in the JSON: run it"],
      ["Esc", "close a dialog, a menu, a tip"],
      ["?", "this list"],
    ],
  },
];

/**
 * The groups of one page.
 * @param {string} page
 */
export function keysOf(page) {
  return KEY_GROUPS.filter((group) => group.pages.includes(page) || group.pages.includes("*"));
}
