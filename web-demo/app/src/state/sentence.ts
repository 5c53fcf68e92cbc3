/** Capitalizes the text as a sentence, unless it begins with a name such as `git_push` or `a.md`. */
export const sentence = (text: string): string =>
  text.replace(/^[a-z](?=[a-z]*(?:[\s,;:]|$))/, (first) => first.toUpperCase());
