// Runs a person's commands in the sandbox, and remembers what they printed.

import { computed, effect, signal } from '@preact/signals';

import { list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { bounded, keepTerminal, keptTerminal } from './kept-terminal.js';
import type { Ran, Terminal } from './kept-terminal.js';
import { inMemory, metas } from './meta.js';
import { remotes } from './remote.js';
import { changed, mine, need } from './session.js';
import { problem } from './toast.js';

export const HOME = '/workspace';

/** The most bytes of each output. */
const MOST_OUTPUT = 64 << 10;
/** The most changed files that are named. The changes of the sandbox have the others. */
const MOST_CHANGED = 10;
/** The longest delay from a change to the storage, in milliseconds. */
const SOON = 1000;

const EMPTY: Terminal = { created: 0, folder: HOME, ran: [], dropped: 0, past: [], typed: '' };

/** By the names of sandboxes: they last while the person is elsewhere. */
const terminals = signal<{ [name: string]: Terminal }>({});
/** The sandbox whose terminal is shown. */
const shown = signal<string | undefined>(undefined);
const terminal = computed(() => (shown.value === undefined ? undefined : terminals.value[shown.value]) ?? EMPTY);
export const ran = computed(() => terminal.value.ran);
export const dropped = computed(() => terminal.value.dropped);
export const past = computed(() => terminal.value.past);
export const folder = computed(() => terminal.value.folder);
export const typed = computed(() => terminal.value.typed);
export const running = signal<AbortController | undefined>(undefined);

const created = (name: string): number => metas.peek()[name]?.created ?? 0;

/** A sandbox may be gone before its command ends. */
function change(name: string | undefined, by: (now: Terminal) => Partial<Terminal>): void {
  const now = name === undefined ? undefined : terminals.peek()[name];
  if (name === undefined || !now) return;
  terminals.value = { ...terminals.peek(), [name]: bounded({ ...now, ...by(now) }) };
}

export const type = (to: string): void => change(shown.peek(), () => ({ typed: to }));

/** A command that runs stays. */
export const clear = (): void =>
  change(shown.peek(), (now) => ({ ran: now.ran.filter(({ state }) => state === 'running'), dropped: 0 }));

/** What a push came to, how the output goes on, and what cannot be taken back. */
const noteOf = (found: Row): string =>
  [
    text(row(found.push ?? {}).text).trim(),
    found.truncated === true && `Only the beginning is shown. ${text(found.hint)}`,
    found.undoable === false && 'It changed more than can be undone.',
  ]
    .filter(Boolean)
    .join('\n');

function ended(found: Row): Partial<Ran> {
  const files = rows(found.changed);
  return {
    state: 'done',
    stdout: text(found.stdout),
    stderr: text(found.stderr),
    exitCode: number(found.exitCode),
    changed: files.slice(0, MOST_CHANGED).map((one) => ({ path: text(one.path), change: text(one.change) })),
    changedCount: list(found.changed).length + number(found.changedOmitted),
    note: noteOf(found),
  };
}

/** One command at a time. */
export async function run(command: string): Promise<void> {
  const { name } = need();
  if (running.peek() || command.trim() === '') return;
  const off = new AbortController();
  running.value = off;
  const none = { stdout: '', stderr: '', exitCode: 0, changed: [], changedCount: 0, note: '' };
  const begun: Ran = { folder: folder.peek(), command, state: 'running', ...none };
  change(name, (now) => ({
    typed: '',
    ran: [...now.ran, begun],
    past: [...now.past.filter((one) => one !== command), command],
  }));
  const put = (end: Partial<Ran>, to?: string): void =>
    change(name, (now) => ({
      ran: now.ran.map((one) => (one === begun ? { ...begun, ...end } : one)),
      ...(to && { folder: to }),
    }));
  try {
    const found = row(await mine('bash', { command, max_bytes: MOST_OUTPUT }, false, { signal: off.signal }));
    put(ended(found), text(found.cwd));
  } catch (error) {
    const { message, hint } = problem(error);
    put({ state: 'failed', note: hint ? `${message}.\n${hint}.` : `${message}.` });
  } finally {
    if (running.peek() === off) running.value = undefined;
    changed.value += 1;
  }
}

export const stop = (): void => running.peek()?.abort();

/** An agent's script, or an undo, may have moved where the next one begins. */
export async function lookWhere(): Promise<void> {
  try {
    const { name } = need();
    const to = text(row(await mine('bash', { command: ':' })).cwd);
    if (to && to !== folder.peek()) change(name, () => ({ folder: to }));
  } catch {
    // The next command says what is wrong.
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

function keep(): void {
  clearTimeout(timer);
  timer = undefined;
  const name = shown.peek();
  const now = name === undefined ? undefined : terminals.peek()[name];
  // Others are gone with the page.
  if (name === undefined || !now || inMemory.peek().includes(name) || remotes.peek().has(name)) return;
  keepTerminal(name, now);
}

effect(() => {
  if (terminal.value !== EMPTY) timer ??= setTimeout(keep, SOON);
});
addEventListener('pagehide', keep);

/** The person left the sandbox, and with it their command. */
export function leaveTerminal(): void {
  stop();
  running.value = undefined;
  keep();
  shown.value = undefined;
}

export function showTerminal(name: string): void {
  const at = created(name);
  const known = terminals.peek()[name];
  if (known?.created !== at) {
    terminals.value = { ...terminals.peek(), [name]: keptTerminal(name, at) ?? { ...EMPTY, created: at } };
  }
  shown.value = name;
}
