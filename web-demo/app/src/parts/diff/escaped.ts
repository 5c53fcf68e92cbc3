// Characters that whoever made a patch has written as others. A content that has the same text looks the
// same, so what may stand for a character is marked as such.

import { standIn } from '../stand-in.js';

/** Who has escaped a patch: the gate, git's tools, or nobody. */
export type Escaped = 'gate' | 'git' | undefined;

const CONTROLS = '\\\\x(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])';
const PATTERNS = {
  gate: new RegExp(`\\\\x[a-f][0-9a-f]|${CONTROLS}|<U\\+[0-9A-F]{4,6}>|\\\\r$`, 'g'),
  git: new RegExp(CONTROLS, 'g'),
};

export const escapesIn = (text: string, by: Escaped): RegExpMatchArray[] =>
  by ? [...text.matchAll(PATTERNS[by])] : [];

export function meaning(escape: string): string {
  const byte = /^\\x([a-f].)$/.exec(escape)?.[1];
  const code = Number.parseInt(escape.replaceAll(/[^0-9a-fA-F]/g, ''), 16);
  const of = byte ? standIn(0xdc00 + code) : standIn(escape === '\\r' ? 13 : code);
  return `${of.title}, or this very text`;
}
