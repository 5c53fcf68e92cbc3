// Puts a diff on the screen: one view, or two beside each other.

import { MergeView } from '@codemirror/merge';
import { Compartment, EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import { beside, common, shadow } from '../code.js';
import { language } from '../languages.js';
import { visible } from '../plain.js';
import { lines, numbers } from './lines.js';
import type { Choice } from './lines.js';
import { rowsOf } from './patch.js';
import type { Row } from './patch.js';
import { aligned, isOneSided, split, unified } from './sides.js';
import type { Side } from './sides.js';
import { takeSteps } from './steps.js';

/**
 * A larger diff is laid out line by line, and has no colours of its language: what a merge view does
 * for each change, and a parser for each line, would hold up who scrolls.
 */
const MOST_ROWS = 3000;
const MOST_CHANGES = 300;

interface Mounted {
  views: EditorView[];
  end: () => void;
}

interface Shown {
  path: string;
  hunks: string[];
  choice: Choice | undefined;
  isSplit: boolean;
}

/** Scrolls to a hunk, and gives its box the focus. */
function stepper(view: EditorView, rows: Row[], root: ShadowRoot): (by: 1 | -1) => void {
  const heads = rows.flatMap(({ kind }, at) => (kind === 'hunk' ? [at + 1] : []));
  let now = -1;
  return (by) => {
    const focused = Number(root.activeElement instanceof HTMLElement ? root.activeElement.dataset.hunk : undefined);
    now = Math.min(heads.length - 1, Math.max(0, (focused ? focused - 1 : now) + by));
    const line = heads[now];
    if (line === undefined) return;
    view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'start' }) });
    const box = (): HTMLElement | null => root.querySelector(`[data-hunk="${now + 1}"]`);
    view.requestMeasure({ read: () => box(), write: (found) => found?.focus({ preventScroll: true }) });
  };
}

export function mount(host: HTMLElement, { path, hunks, choice, isSplit }: Shown): Mounted {
  const root = shadow(host);
  const rows = rowsOf(hunks);
  const name = visible(path);
  const isLarge = rows.length > MOST_ROWS || hunks.length > MOST_CHANGES;
  const hasTwo = isSplit && !isOneSided(rows);
  const parent = document.createElement('div');
  parent.style.height = '100%';
  parent.style.overflow = 'auto';
  root.append(parent);
  const syntax = new Compartment();
  const still = (label: string): Extension => [
    common,
    syntax.of([]),
    EditorView.editorAttributes.of({ class: 'gg-diff' }),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  ];
  const finish = (views: EditorView[], destroy: () => void, first: Row[]): Mounted => {
    let isGone = false;
    if (!isLarge) {
      language(path).then(
        (found) => {
          if (found && !isGone) for (const view of views) view.dispatch({ effects: syntax.reconfigure(found) });
        },
        // Without its colours a diff is as true.
        (error: unknown) => console.warn(`no colours for the language: ${String(error)}`),
      );
    }
    const [view] = views;
    const release = view && takeSteps(stepper(view, first, root));
    const end = (): void => {
      isGone = true;
      release?.();
      destroy();
    };
    return { views, end };
  };
  if (!hasTwo) {
    const side = unified(rows);
    const looks = [numbers(side, 'old'), numbers(side, 'new'), lines(side, choice, true)];
    const extensions = [still(`Changes of ${name}`), isLarge ? [] : EditorView.lineWrapping, looks];
    const view = new EditorView({ doc: side.text, extensions, parent, root });
    return finish([view], () => view.destroy(), side.rows);
  }
  const left = (a: Side): Extension => [still(`${name}, before`), numbers(a, 'old'), lines(a, choice, true)];
  const right = (b: Side): Extension => [still(`${name}, after`), numbers(b, 'new'), lines(b, choice, false)];
  if (isLarge) {
    const { a, b } = aligned(rows);
    parent.style.display = 'flex';
    parent.style.alignItems = 'flex-start';
    const views = [
      new EditorView({ doc: a.text, extensions: [left(a), beside], parent, root }),
      new EditorView({ doc: b.text, extensions: [right(b), beside], parent, root }),
    ];
    const destroy = (): void => {
      for (const view of views) view.destroy();
    };
    return finish(views, destroy, a.rows);
  }
  const { a, b, changes } = split(rows);
  const merge = new MergeView({
    a: { doc: a.text, extensions: [left(a), EditorView.lineWrapping] },
    b: { doc: b.text, extensions: [right(b), EditorView.lineWrapping] },
    parent,
    root,
    gutter: false,
    highlightChanges: false,
    diffConfig: { override: () => changes },
  });
  return finish([merge.a, merge.b], () => merge.destroy(), a.rows);
}
