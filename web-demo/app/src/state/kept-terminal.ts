// The terminal of each sandbox, stored for the tab: the commands, and what they printed.

import { shelf } from './shelf.js';

export interface ChangedFile {
  path: string;
  change: string;
}

export interface Ran {
  /** The folder that it began in. */
  folder: string;
  command: string;
  state: 'running' | 'done' | 'failed';
  stdout: string;
  stderr: string;
  exitCode: number;
  /** The first of the changed files. */
  changed: ChangedFile[];
  changedCount: number;
  /** Why it failed, or what to know about what it did. */
  note: string;
}

export interface Terminal {
  /** When its sandbox was created. Another sandbox may have the same name later. */
  created: number;
  /** The folder that the next command begins in. */
  folder: string;
  ran: Ran[];
  /** The number of earlier commands whose output is gone. */
  dropped: number;
  /** The commands, for the arrow keys. */
  past: string[];
  /** What is in the input. */
  typed: string;
}

/** The most commands, and the most characters of all of them together. */
const MOST = 200;
const ROOM = 400_000;
const ROOM_OF_PAST = 50_000;

const terminals = shelf<Terminal>('gitgate.terminals');

const sizeOf = ({ command, stdout, stderr, note, changed }: Ran): number =>
  changed.reduce((sum, { path }) => sum + path.length, command.length + stdout.length + stderr.length + note.length);

/** The latest ones for which there is room, and in any case the last one. The same array, if these are all. */
function latest<T>(all: T[], size: (one: T) => number, room: number): T[] {
  let left = room;
  let from = all.length;
  for (const one of [...all].reverse()) {
    left -= size(one);
    const isOver = left < 0 || all.length - from === MOST;
    if (isOver && from < all.length) break;
    from -= 1;
  }
  return from === 0 ? all : all.slice(from);
}

/** Without what there is no room for. */
export function bounded(now: Terminal): Terminal {
  const ran = latest(now.ran, sizeOf, ROOM);
  const past = latest(now.past, ({ length }) => length, ROOM_OF_PAST);
  return { ...now, ran, past, dropped: now.dropped + now.ran.length - ran.length };
}

const halted = (one: Ran): Ran =>
  one.state !== 'running'
    ? one
    : { ...one, state: 'failed', note: 'The page was left before the command ended. History tells what it changed.' };

export function keepTerminal(name: string, now: Terminal): void {
  const { [name]: _, ...others } = terminals.read();
  try {
    terminals.put({ ...others, [name]: { ...now, ran: now.ran.map(halted) } });
  } catch {
    // There is only room to say so.
    terminals.put({ [name]: { ...now, ran: [], dropped: now.dropped + now.ran.length, past: [], typed: '' } });
  }
}

export function keptTerminal(name: string, created: number): Terminal | undefined {
  const found = terminals.read()[name];
  return found?.created === created ? found : undefined;
}
