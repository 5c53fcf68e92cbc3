// Renders a large diff.

import type { Hit } from './find.js';
import { firstChange } from './landing.js';
import type { Mounted } from './mount.js';
import type { Row } from './patch.js';
import { aligned, unified } from './sides.js';
import type { Which } from './sides.js';
import { stepper } from './stepper.js';
import type { GoTo } from './stepper.js';
import { takeSteps } from './steps.js';
import { Tall } from './tall.js';
import type { Column, Given } from './tall.js';

/** The parts of a large diff: one column, or two with the same number of rows. */
export function columnsOf(rows: Row[], name: string, hasTwo: boolean): [Column, ...Column[]] {
  if (!hasTwo) return [{ side: unified(rows), label: `Changes of ${name}`, numbers: ['old', 'new'], hasBoxes: true }];
  const { a, b } = aligned(rows);
  return [
    { side: a, label: `${name}, before`, numbers: ['old'], hasBoxes: true },
    { side: b, label: `${name}, after`, numbers: ['new'], hasBoxes: false },
  ];
}

interface Place {
  parent: HTMLElement;
  root: ShadowRoot;
  rows: Row[];
}

export function mountTall({ parent, root, rows }: Place, columns: [Column, ...Column[]], given: Given): Mounted {
  const tall = new Tall(parent, root, columns, given);
  const { twins } = columns[0].side;
  const land = (hunk: number): void => {
    const change = firstChange(rows, hunk, twins);
    if (change) tall.show(change.row);
  };
  const goTo: GoTo = (at, hunk, drawn) => {
    tall.goTo(at);
    land(hunk);
    drawn();
  };
  land(1);
  const release = takeSteps(stepper(columns[0].side.rows, root, goTo));
  const end = (): void => {
    release();
    tall.end();
  };
  const mark = (hits: Hit[], now: Hit | undefined): void => {
    given.found.set(hits, now);
    tall.rewrite();
    if (now) tall.show(now.row);
  };
  const focus = (): void => root.querySelector<HTMLElement>('.gg-column')?.focus();
  const goToLine = (which: Which, line: number): void => {
    const row = rows.find((one) => one[which] === line);
    if (row) tall.show(row);
  };
  return { rows, redraw: () => tall.redraw(), end, mark, focus, goTo: goToLine };
}
