// Characters that the author of a patch escaped. Unescaped content may contain the same text, so whatever
// may be an escape is marked.

import { standIn } from '../stand-in.js';

/** Who escaped a patch: the gate, git's tools, or nobody. */
export type Escaped = 'gate' | 'git' | undefined;

const CONTROLS = '\\\\x(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])';
const PATTERNS = {
  gate: new RegExp(`\\\\x[a-f][0-9a-f]|${CONTROLS}|<U\\+[0-9A-F]{4,6}>|<\\d+ (?:spaces|tabs|blanks|more)>|<read byte by byte:>|\\\\r$`, 'g'),
  git: new RegExp(CONTROLS, 'g'),
};

const SAID: { [what: string]: string } = {
  spaces: 'So many spaces in a row',
  tabs: 'So many tabs in a row',
  blanks: 'So many spaces and tabs in a row',
  more: 'So many runs of text are not shown',
  '<read byte by byte:': 'What can be read in the bytes of the text themselves',
};

export const escapesIn = (text: string, by: Escaped): RegExpMatchArray[] =>
  by ? [...text.matchAll(PATTERNS[by])] : [];

export function meaning(escape: string): string {
  if (!/^<U\+|^\\/.test(escape)) return `${SAID[escape.replace(/^<\d+ |>$/g, '')] ?? escape}, or this very text`;
  const byte = /^\\x([a-f].)$/.exec(escape)?.[1];
  const code = Number.parseInt(escape.replaceAll(/[^0-9a-fA-F]/g, ''), 16);
  const of = byte ? standIn(0xdc00 + code) : standIn(escape === '\\r' ? 13 : code);
  return `${of.title}, or this very text`;
}
