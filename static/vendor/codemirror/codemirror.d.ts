/** What of CodeMirror is used; see static/vendor/README.md for the versions of its packages. */

export interface Change {
  from: number;
  to?: number;
  insert?: string;
}
export interface Text {
  length: number;
  lines: number;
  toString(): string;
  line(number: number): { from: number; to: number; text: string };
}
export interface EditorState {
  doc: Text;
  readOnly: boolean;
  selection: { main: { head: number; empty: boolean } };
  replaceSelection(text: string): unknown;
}
export interface Diagnostic {
  from: number;
  to: number;
  severity: "error";
  message: string;
  actions?: { name: string; apply(view: EditorView, from: number, to: number): void }[];
}
export interface CompletionContext {
  explicit: boolean;
  pos: number;
  matchBefore(pattern: RegExp): { from: number; to: number; text: string } | null;
}
export interface Completion {
  label: string;
  detail?: string;
  info?: string;
  type?: string;
}
export type Extension = unknown;
export declare class EditorView {
  constructor(options: { state: EditorState; parent: ParentNode; root: ShadowRoot });
  state: EditorState;
  contentDOM: HTMLElement;
  composing: boolean;
  dispatch(...changes: unknown[]): void;
  focus(): void;
  static updateListener: { of(heard: (update: { docChanged: boolean; state: EditorState }) => void): Extension };
  static domEventHandlers(of: { beforeinput(event: InputEvent, view: EditorView): boolean }): Extension;
  static lineWrapping: Extension;
  static editable: { of(value: boolean): Extension };
  static contentAttributes: { of(value: Record<string, string>): Extension };
  static theme(rules: Record<string, Record<string, string>>): Extension;
}
export declare class Compartment {
  of(extension: Extension): Extension;
  reconfigure(extension: Extension): unknown;
}
export declare const EditorState: {
  create(options: { doc: string; extensions: Extension[] }): EditorState;
  readOnly: { of(value: boolean): Extension };
  phrases: { of(value: Record<string, string>): Extension };
};
export declare const StreamLanguage: { define(spec: unknown): Extension };
export declare const HighlightStyle: {
  define(rules: { tag: unknown; color?: string; fontWeight?: string }[]): unknown;
};
export declare const tags: Record<string, unknown>;
export declare const defaultKeymap: unknown[];
export declare const historyKeymap: unknown[];
export declare const completionKeymap: unknown[];
export declare const lintKeymap: unknown[];
export declare const keymap: { of(keys: unknown[]): Extension };
export declare function autocompletion(options: {
  override: ((context: CompletionContext) => { from: number; options: Completion[]; validFor?: RegExp } | null)[];
  icons?: boolean;
}): Extension;
export declare function history(): Extension;
export declare function lineNumbers(): Extension;
export declare function drawSelection(): Extension;
export declare function syntaxHighlighting(style: unknown): Extension;
export declare function setDiagnostics(state: EditorState, found: Diagnostic[]): unknown;
export declare function undo(view: EditorView): boolean;
export declare function redo(view: EditorView): boolean;
export declare function undoDepth(state: EditorState): number;
export declare function redoDepth(state: EditorState): number;
