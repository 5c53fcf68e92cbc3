// The styles and texts of an editor's panels. They are in its shadow root, which the page's style sheets do
// not reach.

import { search } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';

import type { Rules } from './sheet.js';

const FIELD = '.cm-panels .cm-panel .cm-textfield';
const BUTTON = '.cm-panels .cm-panel .cm-button';
const CLOSE = '.cm-panels .cm-panel [name=close]';

export const PANEL: Rules = {
  '.cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    fontFamily: 'var(--sans)',
    fontSize: '13px',
    lineHeight: '20px',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-panels .cm-panel': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0 8px',
    padding: '2px 44px 2px 12px',
  },
  '.cm-panels .cm-panel :is(input, button, label)': { margin: '4px 0', fontFamily: 'inherit', fontSize: 'inherit' },
  [FIELD]: {
    flex: '1 1 180px',
    minWidth: '0',
    maxWidth: '360px',
    border: '1px solid var(--border)',
    borderRadius: '6px',
    padding: '3px 8px',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    lineHeight: '20px',
  },
  [`${FIELD}::placeholder`]: { color: 'var(--muted)' },
  [BUTTON]: {
    minHeight: '28px',
    border: '1px solid var(--border)',
    borderRadius: '6px',
    padding: '3px 12px',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    color: 'var(--text)',
    lineHeight: '20px',
    cursor: 'pointer',
  },
  [`${BUTTON}:is(:hover, :active)`]: { backgroundColor: 'var(--current)', backgroundImage: 'none' },
  '.cm-panels .cm-panel label': { display: 'inline-flex', alignItems: 'center', gap: '6px', whiteSpace: 'nowrap' },
  '.cm-panels .cm-panel input[type=checkbox]': { accentColor: 'var(--accent)' },
  '.cm-panels .cm-panel :focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  [CLOSE]: {
    position: 'absolute',
    top: '2px',
    right: '8px',
    width: '28px',
    height: '28px',
    border: '0',
    borderRadius: '6px',
    backgroundColor: 'transparent',
    color: 'var(--muted)',
    fontSize: '18px',
    cursor: 'pointer',
  },
  [`${CLOSE}:hover`]: { backgroundColor: 'var(--current)', color: 'var(--text)' },
  // The replace controls have a row of their own.
  '.cm-panels .cm-search br': { display: 'none' },
  '.cm-panels .cm-search::after': { content: '""', flexBasis: '100%', order: '1' },
  '.cm-panels .cm-search :is([name=replace], [name=replaceAll])': { order: '2' },
};

/** Search in an editor. */
export const finding: Extension = [
  search({ top: true }),
  EditorState.phrases.of({
    next: 'Next',
    previous: 'Previous',
    all: 'Select all',
    'match case': 'Match case',
    regexp: 'Regular expression',
    'by word': 'Whole word',
    replace: 'Replace',
    'replace all': 'Replace all',
    close: 'Close',
  }),
];
