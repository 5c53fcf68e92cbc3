// Syntax colours, in a code view and on the page.

import type { Tree } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';

import type { Part } from './plain.js';
import type { Rules } from './sheet.js';

export const colours = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], class: 'gg-keyword' },
  { tag: [tags.string, tags.regexp, tags.attributeValue, tags.inserted], class: 'gg-string' },
  { tag: [tags.comment, tags.meta], class: 'gg-comment' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.deleted], class: 'gg-number' },
  {
    tag: [
      tags.function(tags.variableName),
      tags.definition(tags.propertyName),
      tags.definition(tags.variableName),
      tags.standard(tags.variableName),
      tags.propertyName,
      tags.attributeName,
      tags.typeName,
      tags.tagName,
      tags.className,
    ],
    class: 'gg-name',
  },
  { tag: tags.heading, class: 'gg-heading' },
]);

export const COLOURS: Rules = {
  '.gg-keyword': { color: 'var(--code-keyword)' },
  '.gg-string': { color: 'var(--code-string)' },
  '.gg-comment': { color: 'var(--muted)' },
  '.gg-number': { color: 'var(--code-number)' },
  '.gg-name': { color: 'var(--code-name)' },
  '.gg-heading': { fontWeight: '600' },
};

/** Half of a surrogate pair would show as an invalid character. */
const whole = (text: string, at: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) ? at + 1 : at;

/** A line of text, split into parts of one style. */
export function coloured(text: string, tree: Tree, from: number, to: number): Part[] {
  const found: Part[] = [];
  let at = from;
  const put = (end: number, look?: string): void => {
    const next = whole(text, end);
    if (next > at) found.push({ text: text.slice(at, next), look });
    at = Math.max(at, next);
  };
  const putLook = (start: number, end: number, look: string): void => {
    put(start);
    put(end, look);
  };
  highlightTree(tree, colours, putLook, from, to);
  put(to);
  return found;
}
