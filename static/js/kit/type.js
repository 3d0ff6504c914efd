/** The typeface for canvases, which cannot read custom properties. The families match --font in tokens.css. */
export const FONT = '"Source Sans 3", "Source Sans stand-in", system-ui, sans-serif';

/** The text size of axis ticks, and the smallest size of other texts, in CSS pixels. */
export const AXIS_SIZE = 12;
export const TEXT_SIZE = 14;
