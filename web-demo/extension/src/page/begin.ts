/** The message with a port that a page's agent posts to the window at the start. */
export const BEGIN = 'gitgate:connect';
