// Puts a diff on the screen: one view, or two beside each other.

import { MergeView } from '@codemirror/merge';
import { Compartment, EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import { common, lineEnds, shadow } from '../code.js';
import { language } from '../languages.js';
import { visible } from '../stand-in.js';
import type { Choice } from './box.js';
import type { Escaped } from './escaped.js';
import { lines, numbers } from './lines.js';
import { rowsOf } from './patch.js';
import type { Row } from './patch.js';
import { aligned, isOneSided, split, textOf, unified } from './sides.js';
import type { Side } from './sides.js';
import { takeSteps } from './steps.js';
import { Tall } from './tall.js';
import type { Column, Given } from './tall.js';

/**
 * A larger diff is no view of code, and has no colours of its language: what a merge view does for each
 * change, and a parser for each line, would hold up who scrolls.
 */
const MOST_ROWS = 3000;
const MOST_CHANGES = 300;

interface Mounted {
  /** Draws it again, after another choice. */
  redraw: () => void;
  end: () => void;
}

interface Shown {
  path: string;
  hunks: string[];
  escaped: Escaped;
  choice: Choice | undefined;
  isSplit: boolean;
}

/** Goes from hunk to hunk, and gives the box of each the focus. `goTo` has it drawn before it calls back. */
function stepper(rows: Row[], root: ShadowRoot, goTo: (at: number, drawn: () => void) => void): (by: 1 | -1) => void {
  const heads = rows.flatMap(({ kind }, at) => (kind === 'hunk' ? [at] : []));
  let now = -1;
  return (by) => {
    const focused = Number(root.activeElement instanceof HTMLElement ? root.activeElement.dataset.hunk : undefined);
    now = Math.min(heads.length - 1, Math.max(0, (focused ? focused - 1 : now) + by));
    const at = heads[now];
    if (at === undefined) return;
    goTo(at, () => root.querySelector<HTMLElement>(`[data-hunk="${now + 1}"]`)?.focus({ preventScroll: true }));
  };
}

/** What a large diff has: one column, or two with as many rows. */
function columnsOf(rows: Row[], name: string, hasTwo: boolean): [Column, ...Column[]] {
  if (!hasTwo) return [{ side: unified(rows), label: `Changes of ${name}`, numbers: ['old', 'new'], hasBoxes: true }];
  const { a, b } = aligned(rows);
  return [
    { side: a, label: `${name}, before`, numbers: ['old'], hasBoxes: true },
    { side: b, label: `${name}, after`, numbers: ['new'], hasBoxes: false },
  ];
}

function mountTall(parent: HTMLElement, root: ShadowRoot, columns: [Column, ...Column[]], given: Given): Mounted {
  const tall = new Tall(parent, root, columns, given);
  const goTo = (at: number, drawn: () => void): void => {
    tall.goTo(at);
    drawn();
  };
  const release = takeSteps(stepper(columns[0].side.rows, root, goTo));
  const end = (): void => {
    release();
    tall.end();
  };
  return { redraw: () => tall.redraw(), end };
}

export function mount(host: HTMLElement, shown: Shown): Mounted {
  const { path, hunks, choice, escaped, isSplit } = shown;
  const root = shadow(host);
  const rows = rowsOf(hunks);
  const name = visible(path, 'name');
  const isLarge = rows.length > MOST_ROWS || hunks.length > MOST_CHANGES;
  const hasTwo = isSplit && !isOneSided(rows);
  const parent = document.createElement('div');
  parent.style.height = '100%';
  parent.style.overflow = 'auto';
  root.append(parent);
  if (isLarge) return mountTall(parent, root, columnsOf(rows, name, hasTwo), { choice, escaped });
  const syntax = new Compartment();
  const still = (label: string): Extension => [
    common,
    lineEnds('\n'),
    syntax.of([]),
    EditorView.editorAttributes.of({ class: 'gg-diff' }),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  ];
  const finish = (views: EditorView[], destroy: () => void, first: Row[]): Mounted => {
    let isGone = false;
    language(path).then(
      (found) => {
        if (found && !isGone) for (const view of views) view.dispatch({ effects: syntax.reconfigure(found) });
      },
      // Without its colours a diff is as true.
      (error: unknown) => console.warn(`no colours for the language: ${String(error)}`),
    );
    const [view] = views;
    const goTo = (at: number, drawn: () => void): void => {
      if (!view) return;
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(at + 1).from, { y: 'start' }) });
      view.requestMeasure({ read: () => undefined, write: drawn });
    };
    const release = takeSteps(stepper(first, root, goTo));
    const end = (): void => {
      isGone = true;
      release();
      destroy();
    };
    const redraw = (): void => {
      for (const one of views) one.dispatch({});
    };
    return { redraw, end };
  };
  if (!hasTwo) {
    const side = unified(rows);
    const looks = [numbers(side, 'old'), numbers(side, 'new'), lines(side, { choice, escaped, hasBoxes: true })];
    const extensions = [still(`Changes of ${name}`), EditorView.lineWrapping, looks];
    const view = new EditorView({ doc: textOf(side), extensions, parent, root });
    return finish([view], () => view.destroy(), side.rows);
  }
  const left = (a: Side): Extension => [
    still(`${name}, before`),
    numbers(a, 'old'),
    lines(a, { choice, escaped, hasBoxes: true }),
  ];
  const right = (b: Side): Extension => [
    still(`${name}, after`),
    numbers(b, 'new'),
    lines(b, { choice, escaped, hasBoxes: false }),
  ];
  const { a, b, changes } = split(rows);
  const merge = new MergeView({
    a: { doc: textOf(a), extensions: [left(a), EditorView.lineWrapping] },
    b: { doc: textOf(b), extensions: [right(b), EditorView.lineWrapping] },
    parent,
    root,
    gutter: false,
    highlightChanges: false,
    diffConfig: { override: () => changes },
  });
  return finish([merge.a, merge.b], () => merge.destroy(), a.rows);
}
