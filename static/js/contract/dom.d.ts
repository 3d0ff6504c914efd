/** The page's own elements are HTML: what a selector finds is taken for that, and cast where it is a field. */
interface ParentNode {
  querySelector<T extends "input" | "select" | "textarea" | "button" | "details" | "dialog">(
    selector: T,
  ): HTMLElementTagNameMap[T] | null;
  querySelector(selectors: "input, select"): HTMLInputElement | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}
