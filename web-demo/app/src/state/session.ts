// The sandbox that is open in this tab.

import { computed, effect, signal } from '@preact/signals';
import { GitgateError, memory, openSandbox, opfs } from 'gitgate';
import type { CallOptions, From, Json, Sandbox, ToolArguments, ToolName, Waiting } from 'gitgate';

import { asked, person } from './live.js';
import { hasOpfs, inMemory, metas, names, refresh, remove, tell } from './meta.js';
import { identity } from './prefs.js';
import { add, connect, remotes } from './remote.js';
import type { Remote } from './remote.js';
import { currentName } from './route.js';
import { token } from './token.js';
import { attempt, fail, note, problem } from './toast.js';
import type { Problem } from './toast.js';

export const sandbox = signal<Sandbox | undefined>(undefined);
/** The sandbox being opened. Cancelling leaves nothing of a new one. */
export const opening = signal<AbortController | undefined>(undefined);
export const openProblem = signal<Problem | undefined>(undefined);
export const waiting = signal<Waiting[]>([]);
/** The waiting calls without an open question. An agent's call waits even while its question is open. */
export const others = computed(() =>
  waiting.value.filter(({ id }) => !asked.value.some(({ question }) => question.id === id)),
);
export const progress = signal<string[]>([]);
export const isOwner = signal(true);
/** Grows with each call that may have changed something. */
export const changed = signal(0);
/** Whether it is on a server, where its agents run too. */
export const isRemote = computed(() => remotes.value.has(sandbox.value?.name ?? ''));
/** Whether it survives a reload of the page. */
export const isLasting = computed(() => !isRemote.value && !isInMemory.value);
export const isInMemory = computed(() => inMemory.value.includes(sandbox.value?.name ?? ''));

const inThisTab = new Map<string, Sandbox>();
export interface Begin {
  from?: From;
  /** The branch there that pushes go to which name none. */
  pushTo?: string;
  base?: string;
  /** The server that has it already. */
  server?: Remote;
  /** Its origin in words, for the list. */
  origin: string;
}

/** Something changed while the page was hidden. */
let isStale = false;

/** Reloads the screens, once somebody looks. */
function look(): void {
  isStale = document.visibilityState !== 'visible';
  if (!isStale) changed.value += 1;
}

function listen(one: Sandbox): void {
  one.onQuestion((question, signal) => person(one.name, question, signal));
  one.on('waiting', (value) => {
    // A sandbox in memory continues after the person left it.
    if (sandbox.value !== one) return;
    waiting.value = value;
    // An agent elsewhere did something.
    if (isRemote.value) changed.value += 1;
  });
  one.on('changed', () => {
    if (sandbox.value === one) look();
  });
  one.on('note', (said) => note(said));
  one.on('owner', ({ isHere }) => {
    if (sandbox.value !== one) return;
    isOwner.value = isHere;
    attempt(async () => {
      // A vanished tab may have left a push unsettled. The status call settles it, and nothing else can be
      // asked meanwhile.
      if (isHere) await one.status();
      if (sandbox.value === one) look();
    });
  });
  one.on('replaced', (why) => note(`The Worker was replaced: ${why}`));
  one.on('progress', ({ what, isOver }) => {
    const others = progress.value.filter((other) => other !== what);
    progress.value = isOver ? others : [...others, what];
  });
}

async function load(name: string, signal: AbortSignal, begin?: Begin): Promise<Sandbox> {
  const found = inThisTab.get(name);
  if (found) return found;
  if (names.value === undefined) await refresh();
  const remote = begin?.server ?? remotes.value.get(name);
  const isKnown = remotes.value.has(name) || (names.value?.includes(name) ?? false);
  if (!begin && !isKnown) throw new GitgateError('not-found', `there is no sandbox '${name}' here`, 'make a new one');
  if (begin && isKnown) throw new GitgateError('usage', `there is a sandbox '${name}' already`, 'choose another name');
  if (remote) {
    const one = await connect(name, remote, signal);
    listen(one);
    add(name, remote);
    if (begin) tell(name, { from: begin.origin, created: Date.now() });
    return one;
  }
  const base = begin?.base ?? metas.value[name]?.base;
  const one = await openSandbox({
    name,
    signal,
    storage: hasOpfs.value ? opfs() : memory(),
    identity: identity.value || 'You <you@example.org>',
    // Commits may have another author, such as a robot, but a person decides here.
    who: 'You',
    push: 'assisted',
    ...(begin?.from && { from: begin.from }),
    ...(begin?.pushTo && { pushTo: begin.pushTo }),
    github: { ...(base && { base }), token: () => token(name) },
  });
  listen(one);
  if (!hasOpfs.value) {
    inThisTab.set(name, one);
    inMemory.value = [...inThisTab.keys()];
  }
  if (begin) {
    const repo = begin.from && 'github' in begin.from ? begin.from.github : undefined;
    tell(name, { from: begin.origin, created: Date.now(), ...(base && { base }), ...(repo && { repo }) });
  }
  return one;
}

const left = (name: string): GitgateError => new GitgateError('interrupted', `'${name}' was left`, 'open it again');

export async function open(name: string, begin?: Begin): Promise<Sandbox> {
  if (sandbox.value?.name === name) return sandbox.value;
  opening.value?.abort();
  const off = new AbortController();
  opening.value = off;
  openProblem.value = undefined;
  try {
    await close();
    const one = await load(name, off.signal, begin);
    if (opening.value !== off) {
      // The person moved on at the very moment when it opened.
      if (!inThisTab.has(name)) await one.close();
      throw left(name);
    }
    sandbox.value = one;
    isOwner.value = isRemote.value || one.owner.isHere;
    const now = await one.waiting();
    if (sandbox.value !== one) throw left(name);
    waiting.value = now;
    return one;
  } finally {
    if (opening.value === off) {
      opening.value = undefined;
      progress.value = [];
    }
  }
}

/** Opens the sandbox in the address. Errors show on the screen, unless the person left it. */
export function show(name: string): void {
  open(name).catch((error: unknown) => {
    const isAnew = opening.value !== undefined || sandbox.value?.name === name;
    if (currentName.value === name && !isAnew) openProblem.value = problem(error);
  });
}

export async function leave(): Promise<void> {
  opening.value?.abort();
  opening.value = undefined;
  await close();
}

/** The closing of the sandbox that was left last. */
let closing: Promise<void> = Promise.resolve();

async function close(): Promise<void> {
  const one = sandbox.value;
  sandbox.value = undefined;
  if (!one) return;
  tell(one.name, { waiting: waiting.value.length });
  waiting.value = [];
  if (inThisTab.has(one.name)) return;
  closing = one.close();
  await closing;
}

/** Removes a sandbox whose creation failed. */
export async function drop(one: Sandbox): Promise<void> {
  if (sandbox.value === one) await leave();
  await closing;
  if (inThisTab.delete(one.name)) {
    inMemory.value = [...inThisTab.keys()];
    await one.close();
  }
  await remove(one.name);
}

export function need(): Sandbox {
  if (sandbox.value) return sandbox.value;
  throw new GitgateError('usage', 'no sandbox is open', 'open one first');
}

/** Calls a tool as the person, and returns its structured result. */
export async function mine<T extends ToolName>(
  tool: T,
  args: ToolArguments[T],
  isChange = false,
  options: CallOptions = {},
): Promise<Json> {
  const reply = await need().call(tool, args, { as: 'user', ...options });
  if (isChange) changed.value += 1;
  if (reply.outcome === 'done') return reply.structured;
  if (reply.outcome === 'failed') throw new GitgateError(reply.kind, reply.message, reply.hint);
  throw new GitgateError('not-approved', reply.reason, reply.hint);
}

export async function fork(name: string, to: string): Promise<void> {
  const one = await open(name);
  await one.fork(to);
  tell(to, { ...metas.value[name], from: `fork of ${name}`, created: Date.now() });
  await leave();
  await refresh();
}

/** A server need not push the list of waiting calls, but it answers when asked. */
async function lookAgain(): Promise<void> {
  const one = sandbox.peek();
  if (!one || !isRemote.peek()) return;
  const now = await one.waiting();
  if (sandbox.value === one) waiting.value = now;
}

effect(() => {
  if (changed.value > 0) attempt(lookAgain);
});

document.addEventListener('visibilitychange', () => {
  // A server does not report its changes here.
  if (isStale || isRemote.value) look();
});

addEventListener('unhandledrejection', ({ reason }) => fail(reason));
