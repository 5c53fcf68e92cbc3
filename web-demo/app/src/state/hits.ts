// The marks of a search in the lines it found.

import type { Query } from './search.js';

/** An expression that matches the literal text. */
export const literal = (said: string): string => said.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The places of the text in a line. The tool does not report them, and a browser's expressions differ from
 * the tool's. An expression that is unknown to a browser, or could take long, marks nothing.
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
