// Steps from hunk to hunk in a diff.

import type { Row } from './patch.js';

/** Scrolls to the row of a hunk's head and its first change. Calls back once everything is drawn. */
export type GoTo = (head: number, hunk: number, drawn: () => void) => void;

/** Steps from hunk to hunk, and focuses each hunk's checkbox. */
export function stepper(rows: Row[], root: ShadowRoot, goTo: GoTo): (by: 1 | -1) => void {
  const heads = rows.flatMap(({ kind }, at) => (kind === 'hunk' ? [at] : []));
  let now = -1;
  return (by) => {
    const focused = Number(root.activeElement instanceof HTMLElement ? root.activeElement.dataset.hunk : undefined);
    now = Math.min(heads.length - 1, Math.max(0, (focused ? focused - 1 : now) + by));
    const at = heads[now];
    if (at === undefined) return;
    goTo(at, now + 1, () =>
      root.querySelector<HTMLElement>(`[data-hunk="${now + 1}"]`)?.focus({ preventScroll: true }),
    );
  };
}
