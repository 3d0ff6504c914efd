/** Leave the attribute out where the value is null or undefined. */
export function ifDefined<T>(value: T): unknown;
