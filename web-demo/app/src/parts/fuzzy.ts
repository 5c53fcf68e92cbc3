// Finds what a person means by a few letters: each is in the text, in this order.

export interface Found<T> {
  one: T;
  /** Where the text has the letters. */
  at: number[];
}

const LETTER = 2;
/** A letter beside the one before it. */
const BESIDE = 9;
const PART_START = 8;
const WORD_START = 7;
/** In the last part of a path, which is the name that a person knows it by. */
const IN_NAME = 2;
const NONE = -Infinity;

/** The text in small letters, with each letter where it was. */
function small(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

function worth(text: string, at: number, nameAt: number): number {
  const before = text[at - 1] ?? '/';
  const inName = LETTER + (at >= nameAt ? IN_NAME : 0);
  if (before === '/') return inName + PART_START;
  const isHump = /[\p{Lu}\d]/u.test(text[at] ?? '') && /\p{Ll}/u.test(before);
  return inName + (isHump || /[\s_\-.:]/.test(before) ? WORD_START : 0);
}

function has(word: string, lower: string): boolean {
  let from = 0;
  for (const letter of word) {
    from = lower.indexOf(letter, from) + letter.length;
    if (from < letter.length) return false;
  }
  return true;
}

interface Way {
  score: number;
  at: number[];
}

/** The best way to find a word in a text that has it. */
function way(word: string, text: string, lower: string): Way {
  const nameAt = text.lastIndexOf('/') + 1;
  // Of each letter, by where it is: the best score that ends there, and where the letter before it is.
  const scores: Float64Array[] = [];
  const befores: Int32Array[] = [];
  for (let letter = 0; letter < word.length; letter += 1) {
    const above = scores[letter - 1];
    const row = new Float64Array(text.length).fill(NONE);
    const before = new Int32Array(text.length);
    // The best that ends before the place beside this one. It loses with each letter that is skipped.
    let apart = NONE;
    let apartAt = 0;
    for (let at = letter; at < text.length; at += 1) {
      const beside = above?.[at - 1] ?? NONE;
      if (lower[at] === word[letter]) {
        const isBeside = beside + BESIDE >= apart;
        row[at] = (above ? Math.max(beside + BESIDE, apart) : 0) + worth(text, at, nameAt);
        before[at] = isBeside ? at - 1 : apartAt;
      }
      if (beside >= apart) apartAt = at - 1;
      apart = Math.max(apart, beside) - 1;
    }
    scores.push(row);
    befores.push(before);
  }
  const last = scores.at(-1) ?? new Float64Array();
  const score = last.reduce((most, one) => Math.max(most, one), NONE);
  const found = [last.indexOf(score)];
  for (const before of befores.slice(1).reverse()) found.unshift(before[found[0] ?? 0] ?? 0);
  return { score, at: found };
}

const words = (wanted: string): string[] => small(wanted).split(/\s+/).filter(Boolean);

/** How well a text fits, and where, or nothing if it does not. */
export function fit(wanted: string, text: string): Way | undefined {
  const lower = small(text);
  const all = words(wanted);
  if (!all.every((word) => has(word, lower))) return undefined;
  const ways = all.map((word) => way(word, text, lower));
  const at = [...new Set(ways.flatMap((one) => one.at))].sort((a, b) => a - b);
  // Of two that fit as well, the shorter one is nearer.
  return { score: ways.reduce((sum, { score }) => sum + score, -text.length / 100), at };
}

/** Those that fit, the best first, and of equal ones the first of `all`. */
export function find<T>(wanted: string, all: readonly T[], textOf: (one: T) => string, most: number): Found<T>[] {
  const fits = all.flatMap((one) => {
    const found = fit(wanted, textOf(one));
    return found ? [{ one, ...found }] : [];
  });
  return fits
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ one, at }) => ({ one, at }));
}
