/**
 * The page draws an experiment before its run has meta: an outline has the same fields, as far as the map reads
 *   them.
 */
export {};

declare module "./contract" {
  interface Meta {
    /** Whether the page made this meta of an experiment, and no run has begun. */
    outline?: boolean;
  }
}
