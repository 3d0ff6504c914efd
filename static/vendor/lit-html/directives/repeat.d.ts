/** A list whose elements keep their key: elements move with their item and are not made anew. */
export function repeat<T>(
  items: Iterable<T>,
  key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => unknown,
): unknown;
