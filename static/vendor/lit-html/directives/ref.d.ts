/** Call `found` with the element, and with undefined once it is gone. */
export function ref(found: (element: Element | undefined) => void): unknown;
