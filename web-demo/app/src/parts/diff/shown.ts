// Scrolls in the code views of a diff.

import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import type { Hit } from './find.js';
import type { Side } from './sides.js';

export interface Shown {
  view: EditorView;
  side: Side;
}

/** The view that contains a part of a row, and its position in the document. */
function placeOf(views: Shown[], { row, from, to }: Hit): { view: EditorView; from: number; to: number } | undefined {
  for (const { view, side } of views) {
    const at = side.rows.indexOf(row);
    if (at < 0) continue;
    const line = view.state.doc.line(at + 1);
    return { view, from: line.from + from, to: line.from + to };
  }
  return undefined;
}

/** Scrolls a part of a row to the middle of the viewport. */
export function show(views: Shown[], hit: Hit): void {
  const place = placeOf(views, hit);
  if (!place) return;
  const range = EditorSelection.range(place.from, place.to);
  place.view.dispatch({ effects: EditorView.scrollIntoView(range, { y: 'center' }) });
}

/** Reports, after layout, whether a part of a row is inside the scroll container's viewport. */
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
    // A view that is measuring accepts no change.
    write: (isInSight) => queueMicrotask(() => then(isInSight)),
  });
}
