// Shows hunks with more of the file around them.

type Range = [start: number, count: number];

function ranges(hunk: string): [old: Range, fresh: Range] | undefined {
  const [, a, b = '1', c, d = '1'] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
  if (a === undefined || c === undefined) return undefined;
  return [
    [Number(a), Number(b)],
    [Number(c), Number(d)],
  ];
}

/**
 * The hunks of a file with up to `more` lines above and below each, as far as no other one shows them. `lines` are
 * those of the new file. Hunks keep their numbers.
 */
export function widened(hunks: readonly string[], lines: readonly string[], more: number): string[] {
  const all = hunks.map(ranges);
  /** The line behind those that are shown. */
  let shown = 1;
  return hunks.map((hunk, at) => {
    const range = all[at];
    // Without a new line there is nothing around it, and what has no end is the end.
    if (!range || range[1][1] === 0) return hunk;
    const [[old, olds], [fresh, news]] = range;
    const after = all[at + 1]?.[1];
    const above = Math.max(0, Math.min(more, fresh - shown, old - 1));
    const last = after ? after[0] - 1 : lines.length;
    // Other lines than those of the file would be worse than none.
    if (fresh + news - 1 > lines.length) return hunk;
    const below = hunk.includes('\n\\ ') ? 0 : Math.max(0, Math.min(more, last - (fresh + news) + 1));
    shown = fresh + news + below;
    const [head = '', body = ''] = [hunk.slice(0, hunk.indexOf('\n')), hunk.slice(hunk.indexOf('\n') + 1)];
    const title = head.replace(/^@@[^@]*@@/, '');
    const context = (from: number, count: number): string =>
      lines
        .slice(from - 1, from - 1 + count)
        .map((line) => ` ${line}\n`)
        .join('');
    const count = above + below;
    const ends = `@@ -${old - above},${olds + count} +${fresh - above},${news + count} @@${title}\n`;
    return ends + context(fresh - above, above) + body + context(fresh + news, below);
  });
}
