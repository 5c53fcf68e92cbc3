/** The most bytes that a tool's result can have. */
export const MOST_TEXT = 5_000_000;
