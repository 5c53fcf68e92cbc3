/** As many bytes as a tool gives at once. */
export const MOST_TEXT = 5_000_000;
