// Scrolls horizontally in an unwrapped line.

/** The scroll position that shows the match in a row, or its first changed word. */
export function leftOf(row: Element | undefined): number | undefined {
  const mark = row?.querySelector('.gg-hit-now') ?? row?.querySelector('.gg-word-old, .gg-word-new');
  const column = mark?.closest('.gg-column');
  if (!mark || !column) return undefined;
  const [inner, outer] = [mark.getBoundingClientRect(), column.getBoundingClientRect()];
  const isInSight = inner.left >= outer.left && inner.right <= outer.right;
  return isInSight ? column.scrollLeft : column.scrollLeft + inner.left - outer.left - outer.width / 2;
}
