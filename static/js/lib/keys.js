/**
 * The keys that the page knows, as data: what `?` lists. `pages`: where they work; `modules`: who listens for them (a
 * test holds every module that listens against this list).
 */

export const KEY_GROUPS = [
  {
    title: "Time",
    pages: ["studio", "compare"],
    modules: ["pages/keys.js", "pages/compare.js"],
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
    modules: ["pages/keys.js", "pages/editing.js", "pages/bar.js"],
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
    modules: ["views/map_gestures.js", "pages/interventions.js", "views/menu.js"],
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
      "views/knob.js",
      "views/share_bar.js",
      "editors/fields.js",
      "editors/offer_rows.js",
      "editors/plot.js",
      "editors/heat_map.js",
      "editors/sheet.js",
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
    pages: ["studio", "study", "compare", "trace"],
    modules: [
      "views/canvas_picture.js",
      "graphs/desk.js",
      "graphs/finder.js",
      "graphs/flow.js",
      "graphs/messages.js",
      "pages/graphs.js",
      "composer/strip.js",
      "composer/composer.js",
      "composer/matrix.js",
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
    modules: ["design/plan.js", "design/plan_keys.js", "design/events.js", "design/dragging.js"],
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
    title: "A tour",
    pages: ["studio"],
    modules: ["views/tour.js"],
    keys: [
      ["→, Enter", "next"],
      ["←", "back"],
      ["Esc", "leave the tour"],
    ],
  },
  {
    title: "Everywhere",
    pages: ["*"],
    modules: ["pages/page_keys.js", "pages/keys.js", "views/tips.js", "views/export_menu.js", "views/json_editor.js"],
    keys: [
      ["Tab, Shift + Tab", "to the next control, to the one before"],
      ["Enter, Space", "press it"],
      ["Ctrl + Enter", "in the JSON: run it"],
      ["Esc", "close a dialog, a menu, a tip"],
      ["?", "this list"],
    ],
  },
];

/** The groups of one page. */
export function keysOf(page) {
  return KEY_GROUPS.filter((group) => group.pages.includes(page) || group.pages.includes("*"));
}
