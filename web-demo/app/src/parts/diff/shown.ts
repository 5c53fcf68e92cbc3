// Scrolls in the views of code that a diff is shown in.

import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import type { Hit } from './find.js';
import type { Side } from './sides.js';

export interface Shown {
  view: EditorView;
  side: Side;
}

/** The view that has a part of a row, and where in its document that is. */
function placeOf(views: Shown[], { row, from, to }: Hit): { view: EditorView; from: number; to: number } | undefined {
  for (const { view, side } of views) {
    const at = side.rows.indexOf(row);
    if (at < 0) continue;
    const line = view.state.doc.line(at + 1);
    return { view, from: line.from + from, to: line.from + to };
  }
  return undefined;
}

/** Has a part of a row in the middle of what is in sight. */
export function show(views: Shown[], hit: Hit): void {
  const place = placeOf(views, hit);
  if (!place) return;
  const range = EditorSelection.range(place.from, place.to);
  place.view.dispatch({ effects: EditorView.scrollIntoView(range, { y: 'center' }) });
}

/** Says, once all is laid out, whether a part of a row is inside of what scrolls. */
export function whetherInSight(
  views: Shown[],
  hit: Hit,
  parent: HTMLElement,
  then: (isInSight: boolean) => void,
): void {
  const place = placeOf(views, hit);
  if (!place) return then(true);
  const { view, from } = place;
  view.requestMeasure({
    read: () => {
      const [at, around] = [view.coordsAtPos(from), parent.getBoundingClientRect()];
      return at !== null && at.top >= around.top && at.bottom <= around.bottom;
    },
    // A view that measures takes no change.
    write: (isInSight) => queueMicrotask(() => then(isInSight)),
  });
}
