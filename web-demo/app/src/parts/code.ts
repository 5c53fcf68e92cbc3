// What all views of code have in common. They live in a shadow root, where their styles are sheets
// and no elements.

import type { Extension } from '@codemirror/state';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView, highlightSpecialChars } from '@codemirror/view';
import { tags } from '@lezer/highlight';

import { HIDDEN_CHARACTERS, codePoint } from './plain.js';

const chip = (character: number): HTMLElement => {
  const span = document.createElement('span');
  span.className = 'gg-chip';
  span.textContent = codePoint(String.fromCodePoint(character));
  span.title = 'A character that screens hide or reorder';
  return span;
};

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { minWidth: '0', padding: '4px 0', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--raised)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--border)' },
  '.cm-panels input, .cm-panels button': { fontSize: '13px' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--border)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.gg-chip': {
    border: '1px solid var(--danger)',
    borderRadius: '4px',
    color: 'var(--danger)',
    fontSize: '11px',
    lineHeight: '14px',
    display: 'inline-block',
    verticalAlign: '1px',
    padding: '0 4px',
    margin: '0 1px',
  },
  '&.gg-diff .cm-content': { padding: '0 0 8px' },
  '.gg-line': { position: 'relative', padding: '0 8px 0 20px' },
  '.gg-numbers': { minWidth: '32px', textAlign: 'right' },
  '.gg-numbers .cm-gutterElement': { padding: '0 8px 0 4px', fontVariantNumeric: 'tabular-nums', fontSize: '12px' },
  '.gg-hunk, .gg-no-hunk': {
    backgroundColor: 'var(--raised)',
    color: 'var(--muted)',
    fontSize: '12px',
    lineHeight: '28px',
    borderBottom: '1px solid var(--border)',
  },
  // One line, so that both sides of it are of one height.
  '.gg-hunk': { whiteSpace: 'pre !important', overflow: 'hidden', textOverflow: 'ellipsis', paddingLeft: '8px' },
  '.gg-hunk span': { color: 'var(--muted) !important', fontWeight: 'normal !important' },
  '.gg-note': { color: 'var(--muted)', fontStyle: 'italic' },
  '.gg-old, .gg-no-old': { backgroundColor: 'var(--deleted)' },
  '.gg-new, .gg-no-new': { backgroundColor: 'var(--added)' },
  // A sign, for those who do not see the colours. It is not copied.
  '.gg-old::before, .gg-new::before': {
    position: 'absolute',
    left: '6px',
    color: 'var(--muted)',
    textDecoration: 'none',
  },
  '.gg-old::before': { content: '"\u2212"' },
  '.gg-new::before': { content: '"+"' },
  '.gg-word-old': { backgroundColor: 'var(--word-deleted)', borderRadius: '2px' },
  '.gg-word-new': { backgroundColor: 'var(--word-added)', borderRadius: '2px' },
  '.gg-out, .gg-out *': { color: 'var(--muted) !important', textDecoration: 'line-through' },
  '.gg-box': {
    marginRight: '12px',
    fontFamily: 'var(--sans)',
    fontWeight: '500',
    color: 'var(--text)',
    cursor: 'pointer',
  },
  '.gg-box input': { verticalAlign: '-2px', margin: '0 6px 0 0', accentColor: 'var(--accent)' },
  '.gg-box input:focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '&.cm-merge-a .cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'transparent' },
  '&.cm-merge-a .gg-old.cm-changedLine': { backgroundColor: 'var(--deleted)' },
  '&.cm-merge-b .gg-new.cm-changedLine': { backgroundColor: 'var(--added)' },
  '.gg-gap, .gg-no-gap': { backgroundColor: 'var(--raised)' },
  '.cm-mergeSpacer': { backgroundColor: 'var(--raised)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.comment, tags.meta], color: 'var(--muted)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.typeName, tags.tagName, tags.className], color: 'var(--code-name)' },
  { tag: tags.heading, fontWeight: '600' },
]);

export const common: Extension = [
  look,
  syntaxHighlighting(colours),
  EditorView.perLineTextDirection.of(true),
  highlightSpecialChars({ render: chip, specialChars: HIDDEN_CHARACTERS }),
];

/** Two views beside each other, which one frame scrolls. */
export const beside: Extension = EditorView.theme({
  '&': { flex: '1 1 0', minWidth: '0', height: 'auto !important' },
  '.cm-scroller': { height: 'auto !important', overflowY: 'visible !important' },
});

/** Where a view lives. A host keeps its shadow root. */
export function shadow(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  return root;
}
