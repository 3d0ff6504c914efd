/** The page draws an experiment before its run starts: an outline has the fields of Meta that the map reads. */
export {};

declare module "./contract" {
  interface Meta {
    /** True if the page built this object from an experiment whose run has not started. */
    outline?: boolean;
  }
}
