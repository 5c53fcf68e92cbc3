// What a search marks in the lines that it has found.

import type { Query } from './search.js';

/** A text that is no expression, as one. */
export const literal = (said: string): string => said.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Where in a line the text is. The tool does not tell, and a browser's expressions are not the tool's: one
 * that could take a browser long, or that it does not know, marks nothing.
 */
export function hitsOf({ text: said, isRegex, isExact }: Query): (line: string) => [from: number, to: number][] {
  const flags = isExact ? 'gu' : 'giu';
  let pattern: RegExp;
  try {
    const isSlow = /\)[*+{?]/.test(said) || (said.match(/[*+{]/g) ?? []).length > 2;
    if (isRegex && isSlow) return () => [];
    pattern = new RegExp(isRegex ? said : literal(said), flags);
  } catch {
    return () => [];
  }
  return (line) =>
    [...line.matchAll(pattern)].flatMap(({ index, 0: found }) => (found ? [[index, index + found.length]] : []));
}
