import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';

import { layout } from '../../state/prefs.js';
import { Plain, visible } from '../plain.js';
import { common, shadow } from '../code.js';
import { lines, numbers } from './lines.js';
import type { Choice } from './lines.js';
import { apart, rowsOf } from './patch.js';
import { split, unified } from './sides.js';
import type { Side } from './sides.js';

export interface DiffProps {
  path: string;
  head: string;
  hunks: string[];
  choice?: Choice;
}

const still = (label: string): Extension => [
  common,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

/** Shows a side of a diff, or both, until the function that this gives is called. */
function mount(host: HTMLElement, path: string, hunks: string[], choice: Choice | undefined, isSplit: boolean) {
  const root = shadow(host);
  const rows = rowsOf(hunks);
  const name = visible(path);
  const parent = document.createElement('div');
  parent.style.height = '100%';
  parent.style.overflow = 'auto';
  root.append(parent);
  const looks = (side: Side, hasBoxes: boolean): Extension => lines(side, choice, hasBoxes);
  if (!isSplit) {
    const side = unified(rows);
    const extensions = [still(`Changes of ${name}`), numbers(side, 'old'), numbers(side, 'new'), looks(side, true)];
    const view = new EditorView({ doc: side.text, extensions, parent, root });
    return { views: [view], end: () => view.destroy() };
  }
  const { a, b, changes } = split(rows);
  const merge = new MergeView({
    a: { doc: a.text, extensions: [still(`${name}, before`), numbers(a, 'old'), looks(a, false)] },
    b: { doc: b.text, extensions: [still(`${name}, after`), numbers(b, 'new'), looks(b, true)] },
    parent,
    root,
    gutter: false,
    highlightChanges: false,
    diffConfig: { override: () => changes },
  });
  return { views: [merge.a, merge.b], end: () => merge.destroy() };
}

export function Diff({ path, head, hunks: given, choice }: DiffProps) {
  const host = useRef<HTMLDivElement>(null);
  const views = useRef<EditorView[]>([]);
  const { hunks, head: said } = apart(head, given);
  const isSplit = layout.value === 'split';
  const now = useRef(choice);
  now.current = choice;
  const hasChoice = choice !== undefined && given.length > 0;
  useEffect(() => {
    if (!host.current || hunks.length === 0) return;
    // The choice of now, not of when it was mounted.
    const through: Choice | undefined = hasChoice
      ? { count: hunks.length, isOut: (at) => now.current?.isOut(at) ?? false, toggle: (at) => now.current?.toggle(at) }
      : undefined;
    const mounted = mount(host.current, path, hunks, through, isSplit);
    views.current = mounted.views;
    return mounted.end;
  }, [path, head, given, isSplit, hasChoice]);
  // What is left out is drawn anew.
  useEffect(() => {
    for (const view of views.current) view.dispatch({});
  }, [choice]);
  if (hunks.length > 0) return <div ref={host} key="code" class="code" />;
  return (
    <pre key="head" class="code-head" tabIndex={0}>
      <Plain text={said || 'Nothing in it has changed.'} clip={false} />
    </pre>
  );
}
