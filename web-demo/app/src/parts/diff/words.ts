// Which words of a changed line differ from the line that it was before.

type Range = [from: number, to: number];

const split = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
/** A line that has become another one has no words worth showing. */
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

/** Changed words with nothing but space between them are one. */
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

export function words(before: string, after: string): [Range[], Range[]] {
  const [a, b] = [split(before), split(after)];
  if (a.length > MOST || b.length > MOST) return [[], []];
  const [inA = [], inB = []] = common(a, b);
  const kept = a.reduce((sum, word, index) => sum + (inA[index] && word.trim() ? word.length : 0), 0);
  if (kept * 3 < Math.min(before.trim().length, after.trim().length)) return [[], []];
  return [ranges(a, inA), ranges(b, inB)];
}
