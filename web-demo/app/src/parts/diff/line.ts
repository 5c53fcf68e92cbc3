// What stands in a line of a diff, without a view of code.

import { chip } from '../code.js';
import { HIDDEN_CHARACTERS } from '../plain.js';
import type { Mark } from './marks.js';

function withChips(text: string): Node[] {
  const found: Node[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN_CHARACTERS)) {
    found.push(document.createTextNode(text.slice(from, match.index)), chip(match[0].codePointAt(0) ?? 0));
    from = match.index + match[0].length;
  }
  found.push(document.createTextNode(text.slice(from)));
  return found;
}

/** The text, each part of it in the marks that it is in. */
export function marked(text: string, marks: Mark[]): Node[] {
  const ends = [...new Set([0, text.length, ...marks.flatMap(([from, to]) => [from, to])])].sort((a, b) => a - b);
  return ends.slice(1).flatMap((to, before) => {
    const from = ends[before] ?? 0;
    const looks = marks.filter((mark) => mark[0] <= from && to <= mark[1]).map(([, , look]) => look);
    const parts = withChips(text.slice(from, to));
    if (looks.length === 0) return parts;
    const span = document.createElement('span');
    span.className = looks.join(' ');
    span.append(...parts);
    return [span];
  });
}
