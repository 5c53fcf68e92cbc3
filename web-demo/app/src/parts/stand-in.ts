// Replaces characters of untrusted text by stand-ins, and describes them. A stand-in is an element with its
// own style, so no text can imitate one.

import { alike, lookOf } from './alike.js';

/** Characters that screens hide, reorder or draw as nothing, and bytes that are not UTF-8 (`quoted.ts`). */
const HIDDEN =
  '\\p{Cf}\\p{Cn}\\p{Co}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffc\\u{13430}-\\u{1343f}\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f';
/** Characters that look like a space but are none. */
const BLANK = '\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000';
/** Characters that look like a folder separator (`host-cli/gate/src/look.rs`), or are drawn over a letter. */
const IN_NAMES =
  '\\u1735\\u2041\\u2044\\u2215\\u2216\\u2571\\u2572\\u27cb\\u27cd\\u29f5\\u29f8\\u29f9\\u2cc6\\u2cc7\\u2f02\\u2f03\\u3033\\u30ce\\u31d2-\\u31d4\\u4e36\\u4e3f\\ufe68\\uff0f\\uff3c\\uff89\\u{1d20f}\\u{1d23a}\\u{1d23b}\\u0334-\\u0338\\u20d2\\u20d3\\u20d8-\\u20da\\u20e5\\u20e6\\u20ea\\u20eb';
/** A space at the beginning or end of a name, or beside another one. */
const ODD_SPACE = ' (?=[ /]|$)|(?<=^|[ /]) ';

/** A name is a path or a part of one. A line has neither tabs nor line ends; a text has both. */
export type Kind = 'name' | 'line' | 'text';

const PATTERNS: { [kind in Kind]: RegExp } = {
  text: new RegExp(`[${HIDDEN}${BLANK}]`, 'gu'),
  line: new RegExp(`[${HIDDEN}${BLANK}\\t\\n]`, 'gu'),
  name: new RegExp(`[${HIDDEN}${BLANK}${IN_NAMES}\\t\\n]|${ODD_SPACE}`, 'gu'),
};

export const pattern = (kind: Kind): RegExp => new RegExp(PATTERNS[kind]);

const CONTROLS =
  'NULL|START OF HEADING|START OF TEXT|END OF TEXT|END OF TRANSMISSION|ENQUIRY|ACKNOWLEDGE|BELL|BACKSPACE|TAB|LINE FEED|LINE TABULATION|FORM FEED|CARRIAGE RETURN|SHIFT OUT|SHIFT IN|DATA LINK ESCAPE|DEVICE CONTROL ONE|DEVICE CONTROL TWO|DEVICE CONTROL THREE|DEVICE CONTROL FOUR|NEGATIVE ACKNOWLEDGE|SYNCHRONOUS IDLE|END OF TRANSMISSION BLOCK|CANCEL|END OF MEDIUM|SUBSTITUTE|ESCAPE|FILE SEPARATOR|GROUP SEPARATOR|RECORD SEPARATOR|UNIT SEPARATOR|SPACE'.split(
    '|',
  );

const NAMES: { [code: number]: string } = {
  ...CONTROLS,
  0x7f: 'DELETE',
  0xa0: 'NO-BREAK SPACE',
  0xad: 'SOFT HYPHEN',
  0x061c: 'ARABIC LETTER MARK',
  0x200b: 'ZERO WIDTH SPACE',
  0x200c: 'ZERO WIDTH NON-JOINER',
  0x200d: 'ZERO WIDTH JOINER',
  0x200e: 'LEFT-TO-RIGHT MARK',
  0x200f: 'RIGHT-TO-LEFT MARK',
  0x2028: 'LINE SEPARATOR',
  0x2029: 'PARAGRAPH SEPARATOR',
  0x202a: 'LEFT-TO-RIGHT EMBEDDING',
  0x202b: 'RIGHT-TO-LEFT EMBEDDING',
  0x202c: 'POP DIRECTIONAL FORMATTING',
  0x202d: 'LEFT-TO-RIGHT OVERRIDE',
  0x202e: 'RIGHT-TO-LEFT OVERRIDE',
  0x202f: 'NARROW NO-BREAK SPACE',
  0x2044: 'FRACTION SLASH',
  0x2060: 'WORD JOINER',
  0x2066: 'LEFT-TO-RIGHT ISOLATE',
  0x2067: 'RIGHT-TO-LEFT ISOLATE',
  0x2068: 'FIRST STRONG ISOLATE',
  0x2069: 'POP DIRECTIONAL ISOLATE',
  0x2215: 'DIVISION SLASH',
  0x2800: 'BRAILLE PATTERN BLANK',
  0x3000: 'IDEOGRAPHIC SPACE',
  0x3164: 'HANGUL FILLER',
  0xfeff: 'BYTE ORDER MARK',
  0xff0f: 'FULLWIDTH SOLIDUS',
};

const PLAIN_NAMES: [RegExp, string][] = [
  [/\p{Cc}/u, 'CONTROL CHARACTER'],
  [/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u, 'VARIATION SELECTOR'],
  [new RegExp(`[${BLANK}]`, 'u'), 'a space of another kind'],
  [new RegExp(`[${IN_NAMES}]`, 'u'), 'looks like another character'],
];

const upper = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0');

export interface StandIn {
  label: string;
  title: string;
  /** The character that it stands for. */
  of: string;
}

export function standIn(code: number): StandIn {
  const character = String.fromCodePoint(code);
  if (code >= 0xdc80 && code <= 0xdcff) {
    const byte = upper(code - 0xdc00, 2);
    return { label: `0x${byte}`, title: `Byte ${byte}, which is not UTF-8`, of: character };
  }
  const label = `U+${upper(code, 4)}`;
  const known = NAMES[code] ?? PLAIN_NAMES.find(([of]) => of.test(character))?.[1];
  const name = known ?? lookOf(character) ?? 'screens hide or reorder it';
  return { label, title: `${label} ${name}`, of: character };
}

/** The positions of the characters that need a stand-in, in order. */
function places(text: string, kind: Kind): number[] {
  const hidden = [...text.matchAll(PATTERNS[kind])].map(({ index }) => index);
  const likeOthers = kind === 'name' ? alike(text) : [];
  if (likeOthers.length === 0) return hidden;
  return [...new Set([...hidden, ...likeOthers])].sort((a, b) => a - b);
}

export const isPlain = (text: string, kind: Kind): boolean => places(text, kind).length === 0;

/** The text, with stand-ins where they are needed. */
export function pieces(text: string, kind: Kind): (string | StandIn)[] {
  const found: (string | StandIn)[] = [];
  let from = 0;
  for (const at of places(text, kind)) {
    if (at > from) found.push(text.slice(from, at));
    const one = standIn(text.codePointAt(at) ?? 0);
    found.push(one);
    from = at + one.of.length;
  }
  if (from < text.length || found.length === 0) found.push(text.slice(from));
  return found;
}

/**
 * The text for an attribute, where no style distinguishes a stand-in from text. Text that looks like a
 * stand-in gets one for its first character.
 */
export const visible = (text: string, kind: Kind = 'line'): string =>
  pieces(text, kind)
    .map((piece) =>
      typeof piece === 'string'
        ? piece.replace(/<(?=(?:U\+|0x)[0-9A-F]+>)/g, `<${standIn(0x3c).label}>`)
        : `<${piece.label}>`,
    )
    .join('');
