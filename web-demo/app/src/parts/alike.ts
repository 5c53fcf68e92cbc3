// Finds letters of another script in a name that a reader takes for Latin ones, by the gate's rules
// (`host-cli/gate/src/reveal/alike.rs`) for the words of a path.

import { TWINS } from './twins.js';

const twin = new RegExp(`[${TWINS.replace(/[0-9a-f]+/g, (code) => `\\u{${code}}`).replace(/\s/g, '')}]`, 'u');
const letterOrDigit = /[\p{Alphabetic}\p{N}]/u;
/** ASCII, and letters of languages in the Latin script. Wide digits are as wide as their text. */
const own = /[\0-\x7f\uff10-\uff19\p{Script=Latin}]/u;

const isForeign = (letter: string): boolean => twin.test(letter) || (letterOrDigit.test(letter) && !own.test(letter));
const isOther = (letter: string): boolean => isForeign(letter) && !twin.test(letter);
const isMixed = (word: string): boolean => /[A-Za-z]/.test(word) && [...word].some(isForeign);

/** Whether the text beside a word, up to an ASCII letter, is in another script. */
const isText = (beside: string[]): boolean => {
  const end = beside.findIndex((letter) => !/[^\0-\x7f]|[\s\-.,:;!?()"']/.test(letter));
  return beside.slice(0, end < 0 ? undefined : end).some(isOther);
};

/** Whether a word can be mistaken for one of Latin letters. */
function misleads(word: string, start: number, name: string): boolean {
  const first = [...word].find(isForeign);
  if (first === undefined || [...word].some(isOther)) return false;
  // Words in phonetic script also have letters that look unlike any Latin one.
  if ([...word].some((letter) => /[\u0250-\u02af]/.test(letter) && !twin.test(letter))) return false;
  // A Greek letter after an underscore is an index. A word of capitals may be a constant.
  const isGreek = /\p{Script=Greek}/u.test(first);
  if (isGreek ? word.split('_').some(isMixed) : isMixed(word)) return true;
  if (isGreek && !/^[\p{Lu}_$]{3,}$/u.test(word)) return false;
  // Mathematical signs are not words.
  if (/[\p{Script=Common}\p{Script=Latin}]/u.test(first) || !/\p{Alphabetic}/u.test(word)) return false;
  const [before, behind] = [name.slice(0, start), name.slice(start + word.length)];
  const isMember = /[\p{Alphabetic}\p{N}]\.$/u.test(before) || /^\.[\p{Alphabetic}\p{N}]/u.test(behind);
  return isMember && /[A-Za-z]/.test(name) && !isText([...before].reverse()) && !isText([...behind]);
}

/** The positions of such letters. */
export function alike(name: string): number[] {
  if (!twin.test(name)) return [];
  const found: number[] = [];
  for (const { 0: word, index } of name.matchAll(/[\p{Alphabetic}\p{N}\p{M}_$]+/gu)) {
    if (!misleads(word, index, name)) continue;
    let at = index;
    for (const letter of word) {
      if (isForeign(letter)) found.push(at);
      at += letter.length;
    }
  }
  return found;
}

const SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Hebrew', 'Lisu'];

/** Describes such a letter to a person. */
export function lookOf(letter: string): string | undefined {
  if (!twin.test(letter)) return undefined;
  const script = SCRIPTS.find((one) => new RegExp(`\\p{Script=${one}}`, 'u').test(letter));
  return `${script ? `a letter of ${script} that ` : ''}looks like a Latin letter`;
}
