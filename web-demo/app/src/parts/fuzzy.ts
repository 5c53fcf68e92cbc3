// Fuzzy search: a text matches if it contains the typed letters in order.

export interface Found<T> {
  one: T;
  /** The positions of the letters in the text. */
  at: number[];
}

const LETTER = 2;
/** A letter directly after the previous one. */
const BESIDE = 9;
const PART_START = 8;
const WORD_START = 7;
/** In the last part of a path, the file name. */
const IN_NAME = 2;
const NONE = -Infinity;

/** The text in lower case, with every letter at its original position. */
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

/** The best way to match a word in a text that contains it. */
function way(word: string, text: string, lower: string): Way {
  const nameAt = text.lastIndexOf('/') + 1;
  // For each letter and position: the best score that ends there, and the position of the previous letter.
  const scores: Float64Array[] = [];
  const befores: Int32Array[] = [];
  for (let letter = 0; letter < word.length; letter += 1) {
    const above = scores[letter - 1];
    const row = new Float64Array(text.length).fill(NONE);
    const before = new Int32Array(text.length);
    // The best score that ends before the adjacent position. Each skipped letter costs.
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

/** The score and the positions of a match; `undefined` without a match. */
export function fit(wanted: string, text: string): Way | undefined {
  const lower = small(text);
  const all = words(wanted);
  if (!all.every((word) => has(word, lower))) return undefined;
  const ways = all.map((word) => way(word, text, lower));
  const at = [...new Set(ways.flatMap((one) => one.at))].sort((a, b) => a - b);
  // Among equal matches, the shorter text is better.
  return { score: ways.reduce((sum, { score }) => sum + score, -text.length / 100), at };
}

/** The matches, best first. Equal ones keep the order of `all`. */
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
