// Finds the words in which a changed line differs from its old version.

type Range = [from: number, to: number];

const split = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
/** More changed words count as one change. */
const MOST = 300;

function common(a: string[], b: string[]): boolean[][] {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const right = table[i * width + j + 1] ?? 0;
      const below = table[(i + 1) * width + j] ?? 0;
      table[i * width + j] = a[i] === b[j] ? (table[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(right, below);
    }
  }
  const inA = new Array<boolean>(a.length).fill(false);
  const inB = new Array<boolean>(b.length).fill(false);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      inA[i++] = true;
      inB[j++] = true;
    } else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return [inA, inB];
}

/** Changed words separated only by space become one. */
function ranges(words: string[], same: boolean[]): Range[] {
  const found: Range[] = [];
  let at = 0;
  let isNear = false;
  words.forEach((word, index) => {
    const end = at + word.length;
    const last = found.at(-1);
    if (!same[index]) {
      if (last && isNear) last[1] = end;
      else found.push([at, end]);
      isNear = true;
    } else if (word.trim()) isNear = false;
    at = end;
  });
  return found;
}

/** The words that both have. The common beginning and end are compared only once. */
function same(a: string[], b: string[]): [inA: boolean[], inB: boolean[]] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [midA, midB] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const isLong = midA.length > MOST || midB.length > MOST;
  const [inA = [], inB = []] = isLong ? [midA.map(() => false), midB.map(() => false)] : common(midA, midB);
  const around = (middle: boolean[]): boolean[] => [
    ...Array.from({ length: head }, () => true),
    ...middle,
    ...Array.from({ length: tail }, () => true),
  ];
  return [around(inA), around(inB)];
}

export function words(before: string, after: string): [Range[], Range[]] {
  const [a, b] = [split(before), split(after)];
  const [inA, inB] = same(a, b);
  // A line that was replaced completely has no words worth marking.
  const kept = a.reduce((sum, word, index) => sum + (inA[index] && word.trim() ? word.length : 0), 0);
  if (kept * 3 < Math.min(before.trim().length, after.trim().length)) return [[], []];
  return [ranges(a, inA), ranges(b, inB)];
}
