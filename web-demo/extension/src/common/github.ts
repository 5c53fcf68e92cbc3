/** The default base URL of the API. */
export const GITHUB = 'https://api.github.com';
