/** Compare with what the element has now, as in `.value=${live(value)}`: a person may have changed it. */
export function live(value: unknown): unknown;
