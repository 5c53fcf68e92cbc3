// The styles of diff lines, with and without a code view.

import type { Rules } from '../sheet.js';

/** In pixels. A line that starts a hunk has a border below it. */
export const HEIGHT = 20;
export const HUNK_HEIGHT = 29;

export const ROWS: Rules = {
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
  // It may also be plain text.
  '.gg-escape': { border: '1px dashed var(--danger)', borderRadius: '4px' },
  '.gg-line': { padding: '0 8px 0 20px' },
  '.gg-hunk, .gg-no-hunk': {
    backgroundColor: 'var(--raised)',
    color: 'var(--muted)',
    fontSize: '12px',
    lineHeight: '28px',
    borderBottom: '1px solid var(--border)',
  },
  // One line, so that both sides have the same height.
  '.gg-hunk': { whiteSpace: 'pre !important', overflow: 'hidden', textOverflow: 'ellipsis', paddingLeft: '8px' },
  '.gg-hunk span': { color: 'var(--muted) !important', fontWeight: 'normal !important' },
  '.gg-note': { color: 'var(--muted)', fontStyle: 'italic' },
  '.gg-old, .gg-no-old': { backgroundColor: 'var(--deleted)' },
  '.gg-new, .gg-no-new': { backgroundColor: 'var(--added)' },
  // A sign for people who do not see the colours. It is not copied.
  '.gg-old::before, .gg-new::before': {
    display: 'inline-block',
    width: '14px',
    marginLeft: '-14px',
    color: 'var(--muted)',
    textDecoration: 'none',
  },
  '.gg-old::before': { content: '"\u2212"' },
  '.gg-new::before': { content: '"+"' },
  '.gg-word-old': { backgroundColor: 'var(--word-deleted)', borderRadius: '2px' },
  '.gg-word-new': { backgroundColor: 'var(--word-added)', borderRadius: '2px' },
  // Above the changed words, whichever is nested in the other.
  '.gg-hit, .gg-hit *': { backgroundColor: 'var(--match)', borderRadius: '2px' },
  '.gg-hit-now, .gg-hit-now *': { backgroundColor: 'var(--match-now)', borderRadius: '2px' },
  '.gg-hit-now': { outline: '1px solid var(--warning)' },
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
  '.gg-pick': { cursor: 'pointer' },
  '.gg-pick:hover': { color: 'var(--accent)', textDecoration: 'underline' },
  // A bar for people who do not see the colours.
  '.gg-said': { boxShadow: 'inset 3px 0 0 var(--accent)', color: 'var(--accent)', fontWeight: '600' },
  '.gg-picked': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.gg-gap, .gg-no-gap': { backgroundColor: 'var(--raised)' },
};

/** For a diff without a code view. */
export const TALL: Rules = {
  '.gg-tall': {
    position: 'relative',
    display: 'flex',
    overflow: 'hidden',
    fontFamily: 'var(--mono)',
    fontSize: '13px',
    lineHeight: `${HEIGHT}px`,
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    tabSize: '4',
  },
  '.gg-lane': { flex: 'none', color: 'var(--muted)', fontSize: '12px', userSelect: 'none', overflow: 'hidden' },
  '.gg-lane > .gg-rows > div': { padding: '0 8px 0 4px', textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '.gg-column': { flex: '1 1 0', minWidth: '0', overflowX: 'auto', overflowY: 'hidden' },
  '.gg-column:focus': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.gg-rows': { boxSizing: 'border-box', minWidth: '100%', width: 'max-content', height: '100%', whiteSpace: 'pre' },
  '.gg-lane > .gg-rows': { width: 'auto' },
  '.gg-rows > div': { height: `${HEIGHT}px` },
  '.gg-rows > .gg-hunk, .gg-rows > .gg-no-hunk': { boxSizing: 'border-box', height: `${HUNK_HEIGHT}px` },
};
