// Renders the contents of a diff line without a code view.

import { chip } from '../code.js';
import { pieces } from '../stand-in.js';
import { meaning } from './escaped.js';
import type { Mark } from './marks.js';

const withChips = (text: string): Node[] =>
  pieces(text, 'text').map((piece) => (typeof piece === 'string' ? document.createTextNode(piece) : chip(piece)));

/** The text, with the marks of each part. */
export function marked(text: string, marks: Mark[]): Node[] {
  const ends = [...new Set([0, text.length, ...marks.flatMap(([from, to]) => [from, to])])].sort((a, b) => a - b);
  return ends.slice(1).flatMap((to, before) => {
    const from = ends[before] ?? 0;
    const inside = marks.filter((mark) => mark[0] <= from && to <= mark[1]);
    const parts = withChips(text.slice(from, to));
    if (inside.length === 0) return parts;
    const span = document.createElement('span');
    span.className = inside.map(([, , look]) => look).join(' ');
    const escape = inside.find(([, , look]) => look === 'gg-escape');
    if (escape) span.title = meaning(text.slice(escape[0], escape[1]));
    span.append(...parts);
    return [span];
  });
}
