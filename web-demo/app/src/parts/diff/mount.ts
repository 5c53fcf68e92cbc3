// Renders a diff: one view, or two side by side.

import { MergeView } from '@codemirror/merge';
import { Compartment, EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import { common, lineEnds, shadow } from '../code.js';
import { language } from '../languages.js';
import { visible } from '../stand-in.js';
import type { Choice } from './box.js';
import type { Escaped } from './escaped.js';
import { Found } from './find.js';
import type { Hit } from './find.js';
import { firstChange } from './landing.js';
import { lines, numbers } from './lines.js';
import { columnsOf, mountTall } from './mount-tall.js';
import { rowsOf } from './patch.js';
import type { Picks } from './picks.js';
import type { Row } from './patch.js';
import { isOneSided, split, textOf, unified } from './sides.js';
import type { Side, Which } from './sides.js';
import { show, whetherInSight } from './shown.js';
import type { Shown } from './shown.js';
import { stepper } from './stepper.js';
import type { GoTo } from './stepper.js';
import { takeSteps } from './steps.js';

/**
 * A larger diff gets no code view and no syntax colours: a merge view's work for each change, and a
 * parser's for each line, would slow down scrolling.
 */
const MOST_ROWS = 3000;
const MOST_CHANGES = 300;

export interface Mounted {
  /** All rows of the patch, in order. */
  rows: Row[];
  /** Redraws it after a changed choice. */
  redraw: () => void;
  end: () => void;
  /** Marks the matches, and scrolls to one of them. */
  mark: (hits: Hit[], now: Hit | undefined) => void;
  focus: () => void;
  /** Scrolls to a line of one of the two files, if the diff shows it. */
  goTo: (which: Which, line: number) => void;
}

interface Wanted {
  path: string;
  hunks: string[];
  escaped: Escaped;
  choice: Choice | undefined;
  picks: Picks | undefined;
  isSplit: boolean;
}

export function mount(host: HTMLElement, shown: Wanted): Mounted {
  const { path, hunks, choice, picks, escaped, isSplit } = shown;
  const root = shadow(host);
  const rows = rowsOf(hunks);
  const name = visible(path, 'name');
  const isLarge = rows.length > MOST_ROWS || hunks.length > MOST_CHANGES;
  const hasTwo = isSplit && !isOneSided(rows);
  const parent = document.createElement('div');
  parent.style.height = '100%';
  parent.style.overflow = 'auto';
  root.append(parent);
  const found = new Found();
  if (isLarge) return mountTall({ parent, root, rows }, columnsOf(rows, name, hasTwo), { choice, picks, escaped, found });
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
  const finish = (views: [Shown, ...Shown[]], destroy: () => void): Mounted => {
    let isGone = false;
    language(path).then(
      (language) => {
        if (language && !isGone) for (const { view } of views) view.dispatch({ effects: syntax.reconfigure(language) });
      },
      // A diff is just as true without its colours.
      (error: unknown) => console.warn(`no colours for the language: ${String(error)}`),
    );
    const [{ view, side: first }] = views;
    const land = (hunk: number): void => {
      const change = firstChange(rows, hunk, first.twins);
      if (!change) return;
      whetherInSight(views, change, parent, (isInSight) => {
        if (!isInSight && !isGone) show(views, change);
      });
    };
    const goTo: GoTo = (at, hunk, drawn) => {
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(at + 1).from, { y: 'start' }) });
      const scrolled = (): void => {
        if (isGone) return;
        drawn();
        land(hunk);
      };
      // A view that is measuring scrolls at the end, and may forget requests made meanwhile.
      view.requestMeasure({ read: () => undefined, write: () => queueMicrotask(scrolled) });
    };
    land(1);
    const release = takeSteps(stepper(first.rows, root, goTo));
    const end = (): void => {
      isGone = true;
      release();
      destroy();
    };
    const redraw = (): void => {
      for (const { view } of views) view.dispatch({});
    };
    const mark = (hits: Hit[], now: Hit | undefined): void => {
      found.set(hits, now);
      redraw();
      if (now) show(views, now);
    };
    const goToLine = (which: Which, line: number): void => {
      const row = rows.find((one) => one[which] === line);
      if (row) show(views, { row, from: 0, to: 0 });
    };
    return { rows, redraw, end, mark, focus: () => view.focus(), goTo: goToLine };
  };
  if (!hasTwo) {
    const side = unified(rows);
    const looks = [
      numbers(side, 'old', picks),
      numbers(side, 'new', picks),
      lines(side, { choice, escaped, found, hasBoxes: true }),
    ];
    const extensions = [still(`Changes of ${name}`), EditorView.lineWrapping, looks];
    const view = new EditorView({ doc: textOf(side), extensions, parent, root });
    return finish([{ view, side }], () => view.destroy());
  }
  const left = (a: Side): Extension => [
    still(`${name}, before`),
    numbers(a, 'old', picks),
    lines(a, { choice, escaped, found, hasBoxes: true }),
  ];
  const right = (b: Side): Extension => [
    still(`${name}, after`),
    numbers(b, 'new', picks),
    lines(b, { choice, escaped, found, hasBoxes: false }),
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
  return finish(
    [
      { view: merge.a, side: a },
      { view: merge.b, side: b },
    ],
    () => merge.destroy(),
  );
}
