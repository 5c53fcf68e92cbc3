// The available commands and their keys.

import { computed } from '@preact/signals';

import { canFind, openFind } from '../parts/diff/finder.js';
import { stepHunk } from '../parts/diff/steps.js';
import { overlay } from './dialog.js';
import { MORE } from '../screens/review/view-bar.js';
import { beginPush } from './push.js';
import { canChoose, choosePush } from './push-to.js';
import { nextTheme, toggleLayout } from './prefs.js';
import * as review from './review.js';
import { judge } from './judge.js';
import { go, goConnect, goStart, route } from './route.js';
import type { Screen } from './route.js';
import { openSearch } from './search.js';
import { isRemote, sandbox, waiting } from './session.js';
import { ended, live } from './live.js';
import { run, restart, stop } from './agent.js';
import { attempt } from './toast.js';

interface Command {
  title: string;
  group: 'Everywhere' | 'Go to' | 'Review' | 'Agent' | 'Terminal' | 'Lists';
  /** One or two keys, or a key with Ctrl. Keys handled by a component are listed here only for display. */
  key: string;
  /** An alternative key. */
  also?: string;
  run?: () => void;
  /** It leads to another screen. */
  isLeaving?: boolean;
}

const PLACES: [string, string, Screen][] = [
  ['Files', 'g f', 'files'],
  ['Terminal', 'g t', 'terminal'],
  ['Changes', 'g c', 'changes'],
  ['Commits', 'g l', 'commits'],
  ['History', 'g h', 'history'],
  ['Audit', 'g u', 'audit'],
  ['Agent', 'g a', 'agent'],
];

export function openWaiting(): void {
  const [first] = waiting.value;
  // Moving on to it means that the person has seen the previous outcome.
  if (live.value || first) ended.value = undefined;
  go('review', live.value || !first ? 'live' : first.id);
}

const ALWAYS: Command[] = [
  { title: 'Command palette', group: 'Everywhere', key: 'Ctrl+K', run: () => (overlay.value = 'palette') },
  { title: 'Show all keys', group: 'Everywhere', key: '?', run: () => (overlay.value = 'keys') },
  { title: 'Switch between light and dark', group: 'Everywhere', key: 't', run: nextTheme },
  { title: 'All sandboxes', group: 'Go to', key: 'g s', run: goStart, isLeaving: true },
  { title: 'Connect your agent', group: 'Go to', key: 'g k', run: goConnect, isLeaving: true },
  { title: 'Move in a list or tree', group: 'Lists', key: '↑ ↓ ← →' },
  { title: 'Next hunk', group: 'Lists', key: ']', run: () => stepHunk(1) },
  { title: 'Previous hunk', group: 'Lists', key: '[', run: () => stepHunk(-1) },
  { title: 'Rename or move in the tree', group: 'Lists', key: 'F2' },
  { title: 'Delete in the tree', group: 'Lists', key: 'Delete' },
  { title: 'Save the file', group: 'Lists', key: 'Ctrl+S' },
];

const SEARCH: Command = {
  title: 'Search in files',
  group: 'Go to',
  key: 'g /',
  also: 'Ctrl+Shift+F',
  run: openSearch,
};

const FIND: Command = { title: 'Find in the diff', group: 'Lists', key: '/', also: 'Ctrl+F', run: openFind };

const REVIEW: Command[] = [
  { title: 'Next file', group: 'Review', key: 'j', run: () => review.model.open(review.model.selected.value + 1) },
  { title: 'Previous file', group: 'Review', key: 'k', run: () => review.model.open(review.model.selected.value - 1) },
  { title: 'Next unopened file, high risks first', group: 'Review', key: 'n', run: () => review.model.openNext() },
  { title: 'Mark the file as reviewed', group: 'Review', key: 'v', run: () => review.model.toggleMark() },
  { title: 'Approve', group: 'Review', key: 'a', run: () => judge.approve() },
  { title: 'Reject with a reason', group: 'Review', key: 'r', run: () => judge.reject() },
  { title: 'Ask for changes', group: 'Review', key: 'Shift+R', run: () => judge.askChanges() },
  { title: 'Comment on the picked lines, or on the file', group: 'Review', key: 'c', run: () => review.model.writeHere() },
  { title: 'Comment on the push', group: 'Review', key: 'Shift+C', run: () => review.model.write({ on: 'push' }) },
  {
    title: 'All changes, or those since you looked',
    group: 'Review',
    key: 's',
    run: () => (review.model.isSince.value = !review.model.isSince.value),
  },
  {
    title: 'Hide changes of blanks',
    group: 'Review',
    key: 'w',
    run: () => {
      const { view } = review.model;
      view.value = { ...view.value, hidesBlanks: !view.value.hidesBlanks };
    },
  },
  {
    title: 'More context',
    group: 'Review',
    key: 'o',
    run: () => {
      const { view } = review.model;
      view.value = { ...view.value, context: view.value.context + MORE };
    },
  },
  { title: 'Next commit', group: 'Review', key: '}', run: () => review.model.stepTo((review.model.step.value ?? -1) + 1) },
  { title: 'Previous commit', group: 'Review', key: '{', run: () => review.model.stepTo((review.model.step.value ?? 1) - 1) },
  { title: 'The whole push', group: 'Review', key: '0', run: () => review.model.stepTo(undefined) },
  { title: 'Decide later', group: 'Review', key: 'l', run: () => judge.later() },
];

const EDIT: Command[] = [
  {
    title: 'Leave the file out, or take it in again',
    group: 'Review',
    key: 'x',
    run: () => review.model.file.value && review.model.toggleFile(review.model.file.value),
  },
  { title: 'Edit the message', group: 'Review', key: 'm', run: () => judge.message() },
  { title: 'Make the revision', group: 'Review', key: 'e', run: () => judge.revise() },
];

const AGENT: Command[] = [
  { title: 'Run one call', group: 'Agent', key: 'n', run: () => attempt(() => run(false)) },
  { title: 'Run all calls', group: 'Agent', key: 'Shift+N', run: () => attempt(() => run(true)) },
  { title: 'Stop', group: 'Agent', key: 's', run: stop },
  { title: 'Start over', group: 'Agent', key: 'b', run: restart },
];

const TERMINAL: Command[] = [
  { title: 'Run the command', group: 'Terminal', key: 'Enter' },
  { title: 'New line', group: 'Terminal', key: 'Shift+Enter' },
  { title: 'Earlier and later commands', group: 'Terminal', key: '↑ ↓' },
  { title: 'Complete a path or a command', group: 'Terminal', key: 'Tab' },
  { title: 'Call the command off', group: 'Terminal', key: 'Ctrl+C', also: 'Esc' },
  { title: 'Leave the input', group: 'Terminal', key: 'Esc' },
  { title: 'Clear', group: 'Terminal', key: 'Ctrl+L' },
];

export const commands = computed<Command[]>(() => {
  if (!sandbox.value) return ALWAYS;
  const all = PLACES.filter(([, , screen]) => screen !== 'agent' || !isRemote.value);
  const places = all.map(([title, key, screen]): Command => ({
    title,
    key,
    group: 'Go to',
    run: () => go(screen),
    isLeaving: true,
  }));
  return [
    ...ALWAYS,
    ...places,
    ...(canFind.value ? [FIND] : []),
    SEARCH,
    { title: 'What waits for you', group: 'Go to', key: 'g w', run: openWaiting, isLeaving: true },
    { title: 'Review and push', group: 'Everywhere', key: 'p', run: () => beginPush('upstream'), isLeaving: true },
    ...(canChoose.value
      ? [{ title: 'Push to a new branch', group: 'Everywhere' as const, key: 'Shift+P', run: choosePush }]
      : []),
    {
      title: 'Review, and download a bundle',
      group: 'Everywhere',
      key: 'Shift+B',
      run: () => beginPush('bundle'),
      isLeaving: true,
    },
    { title: 'Side by side or unified', group: 'Everywhere', key: 'd', run: toggleLayout },
    ...(route.value.screen === 'review' ? REVIEW : []),
    ...(route.value.screen === 'review' ? EDIT : []),
    ...(route.value.screen === 'agent' ? AGENT : []),
    ...(route.value.screen === 'terminal' ? TERMINAL : []),
  ];
});

let before = '';

/** Whether the key belongs to a text field. A checkbox also takes focus, but has no text. */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** A held key answers one question, and not the next. */
export const isRepeated = ({ repeat, key }: KeyboardEvent): boolean => repeat && ['a', 'e', 'l', 'r', 'R'].includes(key);

export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || isRepeated(event)) return;
  const isControl = event.ctrlKey || event.metaKey;
  if (document.querySelector('dialog[open]')) return;
  if (!isControl && isTyping(event)) return;
  const shift = event.shiftKey && /^[A-Z]$/.test(event.key) ? 'Shift+' : '';
  const key = isControl ? `Ctrl+${shift}${event.key.toUpperCase()}` : shift + event.key;
  const both = `${before} ${key}`;
  const named = (name: string) => commands.value.find((one) => one.key === name || one.also === name);
  const found = named(both) ?? named(key);
  before = key === 'g' ? 'g' : '';
  if (!found?.run) return;
  event.preventDefault();
  found.run();
}
