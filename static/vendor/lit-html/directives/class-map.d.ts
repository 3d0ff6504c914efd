/** Add the classes whose value is true; for `class="fixed ${...}"`. */
export function classMap(classes: Readonly<Record<string, boolean>>): unknown;
