/** The typeface for what is painted: a canvas knows no custom properties. The same families as --font in tokens.css. */
export const FONT = '"Source Sans 3", "Source Sans stand-in", system-ui, sans-serif';

/** Size of an axis's ticks, and the least size of any other text, in CSS pixels. */
export const AXIS_SIZE = 12;
export const TEXT_SIZE = 14;
