/** Types of selectors: the page's elements are HTML, so queries return HTMLElement; name a field's tag for its type. */
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
