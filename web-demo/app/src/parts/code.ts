// What all views of code have in common. They live in a shadow root, where their styles are sheets
// and no elements.

import type { Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars } from '@codemirror/view';

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
  '.cm-content': { padding: '4px 0', caretColor: 'var(--text)' },
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
  '.gg-chip': {
    border: '1px solid var(--danger)',
    borderRadius: '4px',
    color: 'var(--danger)',
    fontSize: '11px',
    padding: '0 4px',
    margin: '0 1px',
  },
  '.gg-numbers': { minWidth: '40px', textAlign: 'right' },
  '.gg-numbers .cm-gutterElement': { padding: '0 8px 0 4px', fontVariantNumeric: 'tabular-nums' },
  '.gg-hunk': { backgroundColor: 'var(--raised)', color: 'var(--muted)' },
  '.gg-note': { color: 'var(--muted)', fontStyle: 'italic' },
  '.gg-old': { backgroundColor: 'var(--deleted)' },
  '.gg-new': { backgroundColor: 'var(--added)' },
  '.gg-word-old': { backgroundColor: 'var(--word-deleted)', borderRadius: '2px' },
  '.gg-word-new': { backgroundColor: 'var(--word-added)', borderRadius: '2px' },
  '.gg-out': { color: 'var(--muted)', textDecoration: 'line-through' },
  '.gg-box': { marginRight: '16px', fontFamily: 'var(--sans)', color: 'var(--text)', cursor: 'pointer' },
  '.gg-box input': { verticalAlign: '-2px', margin: '0 4px 0 0', accentColor: 'var(--accent)' },
  '&.cm-merge-a .cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'transparent' },
  '&.cm-merge-a .gg-old.cm-changedLine': { backgroundColor: 'var(--deleted)' },
  '&.cm-merge-b .gg-new.cm-changedLine': { backgroundColor: 'var(--added)' },
  '.cm-mergeSpacer': { backgroundColor: 'var(--raised)' },
});

export const common: Extension = [
  look,
  EditorView.lineWrapping,
  EditorView.perLineTextDirection.of(true),
  highlightSpecialChars({ render: chip, specialChars: HIDDEN_CHARACTERS }),
];

/** Where a view lives. A host keeps its shadow root. */
export function shadow(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  return root;
}
