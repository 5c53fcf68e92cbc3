/** What a page's agent says to the window, with a port, to begin. */
export const BEGIN = 'gitgate:connect';
