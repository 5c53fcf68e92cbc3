// Styles the lines of a diff. It only examines those in the viewport.

import { RangeSetBuilder } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, ViewPlugin, WidgetType, gutter } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';

import { box, setBox } from './box.js';
import type { Choice } from './box.js';
import { meaning } from './escaped.js';
import type { Escaped } from './escaped.js';
import type { Found } from './find.js';
import { numberLook } from './picks.js';
import type { Picks } from './picks.js';
import { lookOf, marksOf } from './marks.js';
import { highest } from './sides.js';
import type { Side, Which } from './sides.js';

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
    return box(this.hunk, this.choice, this.isOut);
  }
  /** Replacing it would lose the focus. */
  override updateDOM(dom: HTMLElement): boolean {
    return setBox(dom, this.hunk, this.isOut);
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
    look = '',
  ) {
    super();
    this.elementClass = `gg-no-${kind} ${look}`;
  }
  override eq(other: LineNumber): boolean {
    return other.line === this.line && other.elementClass === this.elementClass;
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
const MARKS = {
  'gg-word-old': Decoration.mark({ class: 'gg-word-old' }),
  'gg-word-new': Decoration.mark({ class: 'gg-word-new' }),
  'gg-hit': Decoration.mark({ class: 'gg-hit' }),
  'gg-hit-now': Decoration.mark({ class: 'gg-hit-now' }),
};
const escape = (text: string): Decoration =>
  Decoration.mark({ class: 'gg-escape', attributes: { title: meaning(text) } });

/** The gutter of a diff. */
export interface Extras {
  choice: Choice | undefined;
  hasBoxes: boolean;
  escaped: Escaped;
  found: Found;
}

function decorate(
  view: EditorView,
  { rows, twins }: Side,
  { choice, hasBoxes, escaped, found }: Extras,
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
      const look = LINES[lookOf(row, choice)];
      if (look) builder.add(line.from, line.from, look);
      if (row.kind === 'hunk' && choice && hasBoxes) {
        const widget = new Box(row.hunk, choice, choice.isOut(row.hunk));
        builder.add(line.from, line.from, Decoration.widget({ widget, side: -1 }));
      }
      for (const [start, end, mark] of marksOf(row, twins, escaped, found)) {
        const look = mark === 'gg-escape' ? escape(row.text.slice(start, end)) : MARKS[mark];
        builder.add(line.from + start, line.from + end, look);
      }
    }
  }
  return builder.finish();
}

export function lines(side: Side, extras: Extras): Extension {
  return ViewPlugin.define(
    (view) => ({
      decorations: decorate(view, side, extras),
      update(update: ViewUpdate) {
        const isNew = update.viewportChanged || update.docChanged || update.transactions.length > 0;
        if (isNew) this.decorations = decorate(update.view, side, extras);
      },
    }),
    { decorations: ({ decorations }) => decorations },
  );
}

export function numbers({ rows }: Side, which: Which, picks: Picks | undefined): Extension {
  const most = highest(rows, which);
  return gutter({
    class: 'gg-numbers',
    lineMarker: (view, block) => {
      const row = rows[view.state.doc.lineAt(block.from).number - 1];
      return row ? new LineNumber(row[which], row.kind, numberLook(picks, which, row[which])) : null;
    },
    lineMarkerChange: () => picks !== undefined,
    domEventHandlers: {
      mousedown: (view, block, event) => {
        const line = rows[view.state.doc.lineAt(block.from).number - 1]?.[which];
        if (!picks || line === undefined || !(event instanceof MouseEvent)) return false;
        picks.pick(which, line, event.shiftKey);
        return true;
      },
    },
    initialSpacer: () => new LineNumber(most, 'same'),
  });
}
