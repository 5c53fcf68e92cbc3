// The common parts of all code views. They live in a shadow root, so their styles are style sheets and not
// elements.

import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorView, highlightSpecialChars } from '@codemirror/view';

import { COLOURS, colours } from './colours.js';
import { ROWS } from './diff/looks.js';
import { PANEL } from './find-panel.js';
import { pattern, standIn } from './stand-in.js';
import type { StandIn } from './stand-in.js';

export const chip = ({ label, title }: StandIn): HTMLElement => {
  const span = document.createElement('span');
  span.className = 'gg-chip';
  span.textContent = label;
  span.title = title;
  return span;
};

// A code view measures characters, so load their font first.
document.fonts
  .load("13px 'JetBrains Mono'")
  .catch((error: unknown) => console.warn(`no font for code: ${String(error)}`));

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
  ...PANEL,
  '.cm-searchMatch': { backgroundColor: 'var(--match)', borderRadius: '2px' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--match-now)', outline: '1px solid var(--warning)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--border)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  ...COLOURS,
  ...ROWS,
  '&.gg-diff .cm-content': { padding: '0 0 8px' },
  '.gg-numbers': { minWidth: '32px', textAlign: 'right' },
  '.gg-numbers .cm-gutterElement': { padding: '0 8px 0 4px', fontVariantNumeric: 'tabular-nums', fontSize: '12px' },
  '&.cm-merge-a .cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'transparent' },
  '&.cm-merge-a .gg-old.cm-changedLine': { backgroundColor: 'var(--deleted)' },
  '&.cm-merge-b .gg-new.cm-changedLine': { backgroundColor: 'var(--added)' },
  '.cm-mergeSpacer': { backgroundColor: 'var(--raised)' },
});

export const common: Extension = [
  look,
  syntaxHighlighting(colours),
  EditorView.perLineTextDirection.of(true),
  highlightSpecialChars({ render: (code) => chip(standIn(code)), specialChars: pattern('text') }),
];

/** A file has one kind of line ends. If it has both, LF ends a line, and CR is a character. */
export const lineEnd = (text: string): string => (/\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n');

/** Only this ends a line. Any other carriage return is visible, and survives saving. */
export const lineEnds = (end: string): Extension => [
  EditorState.lineSeparator.of(end),
  EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?|\n/g, end)),
];

/** The host of a view. A host keeps its shadow root. */
export function shadow(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  return root;
}
