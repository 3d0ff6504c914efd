/** What of lit-html is used. */
export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}
/** What a template holds no text for. */
export const nothing: unique symbol;
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
/** Make the content of an element equal to a template; what is equal already stays as it is. */
export function render(value: unknown, container: HTMLElement | SVGElement | DocumentFragment): unknown;
