/** The base of the API where the options name no other. */
export const GITHUB = 'https://api.github.com';
