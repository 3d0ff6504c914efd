/**
 * The policy editor: CodeMirror in a shadow root, whose style sheets the content security policy allows. Tab leaves it,
 * and a status line below shows problems.
 */

import {
  autocompletion,
  Compartment,
  completionKeymap,
  defaultKeymap,
  drawSelection,
  EditorState,
  EditorView,
  HighlightStyle,
  history,
  historyKeymap,
  keymap,
  lineNumbers,
  lintKeymap,
  redo,
  redoDepth,
  setDiagnostics,
  StreamLanguage,
  syntaxHighlighting,
  tags,
  undo,
  undoDepth,
} from "../../../vendor/codemirror/codemirror.js";
import { gettext } from "../../kit/words.js";
import { completionsOf, streamOf } from "./language.js";

/**
 * @import { PolicyLanguage, PolicyProblem } from "../../contract/api.js"
 * @import { CompletionContext, Diagnostic } from "../../../vendor/codemirror/codemirror.js"
 */

const THEME = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--data-soft)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecorationLine: "underline",
    textDecorationStyle: "wavy",
    textDecorationColor: "var(--alarm)",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    borderWidth: "1px",
    borderStyle: "solid",
    borderColor: "var(--line-strong)",
    borderRadius: "6px",
    fontFamily: "var(--font)",
    maxWidth: "320px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--heavy)", color: "var(--on-heavy)" },
  ".cm-tooltip.cm-completionInfo": { padding: "8px" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8", fontStyle: "normal" },
  ".cm-diagnostic": { borderLeftColor: "var(--alarm)", padding: "4px 8px", whiteSpace: "normal" },
  ".cm-diagnosticAction": { background: "var(--heavy)", color: "var(--on-heavy)", borderRadius: "4px" },
});
const COLORS = HighlightStyle.define([
  { tag: tags.heading, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.keyword, color: "var(--word)" },
  { tag: tags.number, color: "var(--second)" },
  { tag: tags.comment, color: "var(--muted)" },
  { tag: tags.variableName, color: "var(--good)" },
  { tag: tags.typeName, color: "var(--accent)" },
]);

/**
 * Replace a selection by what is typed over it. The browser itself would put the color of the first selected letter on
 * the new one as an inline style, which the content security policy refuses.
 * @param {InputEvent} event
 * @param {EditorView} view
 */
function typedOver(event, view) {
  const { state } = view;
  if (event.inputType !== "insertText" || !event.data || view.composing) return false;
  if (state.readOnly || state.selection.main.empty) return false;
  view.dispatch(state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  event.preventDefault();
  return true;
}

export class PolicyEditor {
  #fixed = new Compartment();
  #silent = false;

  /**
   * @param {PolicyLanguage} language
   * @param {{text: string, readOnly: boolean, describedBy: string, changed: (text: string) => void}} options
   */
  constructor(language, { text, readOnly, describedBy, changed }) {
    this.element = document.createElement("div");
    this.element.className = "policy-editor";
    this.element.dataset.policyEditor = "";
    const root = this.element.attachShadow({ mode: "open" });
    // Outside the shadow root, a key event's target is the whole editor, which the page's shortcuts do not recognize as
    // a text field.
    for (const type of ["keydown", "keypress", "keyup"]) {
      this.element.addEventListener(type, (event) => event.stopPropagation());
    }
    const begins = (/** @type {CompletionContext} */ context) => Boolean(lineStart(this.view, context.pos));
    const state = EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        StreamLanguage.define(streamOf(language)),
        syntaxHighlighting(COLORS),
        autocompletion({ override: [completionsOf(language, begins)], icons: false }),
        // Tab has no binding: it leaves the editor, as in every other field.
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          "aria-label": gettext("Policy"),
          "aria-describedby": describedBy,
          spellcheck: "false",
          autocapitalize: "off",
        }),
        EditorView.domEventHandlers({ beforeinput: typedOver }),
        this.#fixed.of(EditorState.readOnly.of(readOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.#silent) changed(update.state.doc.toString());
        }),
        THEME,
      ],
    });
    this.view = new EditorView({ state, parent: root, root });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get canUndo() {
    return undoDepth(this.view.state) > 0;
  }

  get canRedo() {
    return redoDepth(this.view.state) > 0;
  }

  undo() {
    undo(this.view);
  }

  redo() {
    redo(this.view);
  }

  /**
   * Show another text; with `told`, treat it as typed.
   * @param {string} text
   */
  set(text, told = false) {
    if (text === this.text) return;
    this.#silent = !told;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.#silent = false;
  }

  /** Insert a word at the cursor, and put the cursor after it. */
  insert(/** @type {string} */ word) {
    const at = this.view.state.selection.main.head;
    this.view.dispatch({ changes: { from: at, insert: word }, selection: { anchor: at + word.length } });
    this.view.focus();
  }

  setReadOnly(/** @type {boolean} */ readOnly) {
    this.view.dispatch({ effects: this.#fixed.reconfigure(EditorState.readOnly.of(readOnly)) });
  }

  /** Underline problems; the message offers an obvious fix. */
  problems(/** @type {PolicyProblem[]} */ problems) {
    const { state } = this.view;
    /** @type {Diagnostic[]} */
    const found = problems.map((problem) => {
      const line = state.doc.line(Math.min(Math.max(problem.line, 1), state.doc.lines));
      const from = Math.min(line.from + problem.column - 1, line.to);
      const to = Math.min(from + Math.max(problem.width, 1), line.to);
      return { from: Math.min(from, to), to, severity: "error", message: problem.message, actions: mends(problem) };
    });
    this.view.dispatch(setDiagnostics(state, found));
  }

  /** Apply a problem's fix. */
  mend(/** @type {PolicyProblem} */ problem) {
    const line = this.view.state.doc.line(problem.line);
    const from = line.from + problem.column - 1;
    this.view.dispatch({ changes: { from, to: from + problem.width, insert: problem.mend ?? "" } });
    this.view.focus();
  }
}

/** @returns {NonNullable<Diagnostic["actions"]>} */
function mends(/** @type {PolicyProblem} */ { mend }) {
  if (mend === null) return [];
  return [
    {
      name: gettext("Use {text}", { text: mend }),
      apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: mend } }),
    },
  ];
}

/** Return true if only an unfinished word lies between the beginning of the line and a position. */
function lineStart(/** @type {EditorView} */ view, /** @type {number} */ at) {
  const text = view.state.doc.toString().slice(0, at);
  return /^[ \t]*\w*$/.test(text.slice(text.lastIndexOf("\n") + 1));
}
