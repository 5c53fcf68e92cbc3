// How the lines of a diff look. Only those in sight are looked at.

import { RangeSetBuilder } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, ViewPlugin, WidgetType, gutter } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';

import type { Row } from './patch.js';
import type { Side } from './sides.js';
import { words } from './words.js';

export interface Choice {
  /** How many hunks there are to choose from. */
  count: number;
  isOut: (hunk: number) => boolean;
  toggle: (hunk: number) => void;
}

class Box extends WidgetType {
  constructor(
    readonly hunk: number,
    readonly choice: Choice,
    readonly isOut: boolean,
  ) {
    super();
  }
  override eq(other: Box): boolean {
    return other.hunk === this.hunk && other.isOut === this.isOut;
  }
  toDOM(): HTMLElement {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = !this.isOut;
    box.dataset.hunk = String(this.hunk);
    box.addEventListener('change', () => this.choice.toggle(this.hunk));
    label.className = 'gg-box';
    label.title = 'Whether this hunk leaves';
    label.append(box, `Hunk ${this.hunk} of ${this.choice.count}`);
    return label;
  }
  /** Drawn anew, it would lose the focus. */
  override updateDOM(dom: HTMLElement): boolean {
    const box = dom.querySelector('input');
    if (box?.dataset.hunk !== String(this.hunk)) return false;
    box.checked = !this.isOut;
    return true;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

class LineNumber extends GutterMarker {
  override elementClass: string;
  constructor(
    readonly line: number | undefined,
    readonly kind: string,
  ) {
    super();
    this.elementClass = `gg-no-${kind}`;
  }
  override eq(other: LineNumber): boolean {
    return other.line === this.line && other.kind === this.kind;
  }
  override toDOM(): Text {
    return document.createTextNode(this.line === undefined ? '' : String(this.line));
  }
}

const LINES = Object.fromEntries(
  ['hunk', 'same', 'old', 'new', 'note', 'end', 'gap', 'out'].map((kind) => [
    kind,
    Decoration.line({ class: `gg-line gg-${kind}` }),
  ]),
);
const WORD = { old: Decoration.mark({ class: 'gg-word-old' }), new: Decoration.mark({ class: 'gg-word-new' }) };

const ESCAPE = Decoration.mark({ class: 'gg-chip' });

/** What is marked in a line: other words, and characters that the host has escaped. */
function marksOf(row: Row, twins: Map<Row, Row>): [from: number, to: number, mark: Decoration][] {
  const found: [number, number, Decoration][] = [];
  for (const match of row.text.matchAll(/<U\+[0-9A-F]{4,6}>/g)) {
    found.push([match.index, match.index + match[0].length, ESCAPE]);
  }
  const { kind } = row;
  if (kind === 'old' || kind === 'new')
    for (const [from, to] of wordsOf(row, twins)) found.push([from, to, WORD[kind]]);
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Lines come into sight again and again. */
const KNOWN = new WeakMap<Row, readonly [number, number][]>();

function wordsOf(row: Row, twins: Map<Row, Row>): readonly [number, number][] {
  const twin = twins.get(row);
  if (!twin) return [];
  const found = KNOWN.get(row) ?? (row.kind === 'old' ? words(row.text, twin.text)[0] : words(twin.text, row.text)[1]);
  KNOWN.set(row, found);
  return found;
}

function decorate(
  view: EditorView,
  { rows, twins }: Side,
  choice: Choice | undefined,
  hasBoxes: boolean,
): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let next = 0;
  for (const { from, to } of view.visibleRanges) {
    for (let at = Math.max(from, next); at <= to;) {
      const line = view.state.doc.lineAt(at);
      const row = rows[line.number - 1];
      next = line.to + 1;
      at = next;
      if (!row) continue;
      const isOut = choice?.isOut(row.hunk) === true;
      const kind = LINES[isOut && row.kind !== 'hunk' ? 'out' : row.kind];
      if (kind) builder.add(line.from, line.from, kind);
      if (row.kind === 'hunk' && choice && hasBoxes) {
        const widget = new Box(row.hunk, choice, isOut);
        builder.add(line.from, line.from, Decoration.widget({ widget, side: -1 }));
      }
      for (const [start, end, mark] of marksOf(row, twins)) builder.add(line.from + start, line.from + end, mark);
    }
  }
  return builder.finish();
}

export function lines(side: Side, choice: Choice | undefined, hasBoxes: boolean): Extension {
  return ViewPlugin.define(
    (view) => ({
      decorations: decorate(view, side, choice, hasBoxes),
      update(update: ViewUpdate) {
        const isNew = update.viewportChanged || update.docChanged || update.transactions.length > 0;
        if (isNew) this.decorations = decorate(update.view, side, choice, hasBoxes);
      },
    }),
    { decorations: ({ decorations }) => decorations },
  );
}

export function numbers({ rows }: Side, which: 'old' | 'new'): Extension {
  const most = rows.reduce((most, row) => Math.max(most, row[which] ?? 0), 0);
  return gutter({
    class: 'gg-numbers',
    lineMarker: (view, block) => {
      const row = rows[view.state.doc.lineAt(block.from).number - 1];
      return row ? new LineNumber(row[which], row.kind) : null;
    },
    initialSpacer: () => new LineNumber(most, 'same'),
  });
}
