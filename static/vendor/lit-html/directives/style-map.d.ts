/** Set properties of the style one by one, which the content policy allows; for `style=${...}` alone. */
export function styleMap(properties: Readonly<Record<string, string | number | null | undefined>>): unknown;
