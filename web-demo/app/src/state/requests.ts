// What the page itself asks a person for: pushes and bundles. They wait in no sandbox, so they are kept
// here until they are answered. The page that asks holds a lock; one that is gone holds none.

import { signal } from '@preact/signals';
import type { Json } from 'gitgate';

import type { Destination } from './destination.js';
import { row, text } from './json.js';
import type { Row } from './json.js';
import { local, session } from './kept.js';
import { isLocked, lock, untilFree } from './locks.js';

export type To = 'upstream' | 'bundle' | 'hand_over';

export interface Request {
  key: string;
  sandbox: string;
  to: To;
  branch: string | undefined;
  /** Of a push: where it goes, if not where its branch came from. */
  where?: Destination | undefined;
  /** Whether a person is asked. Before that, what they are shown is made. */
  isAsked: boolean;
}

const PREFIX = 'gitgate.request:';
/** The keys of those that this tab has asked for, which finds them again when it is reloaded. */
const OWN = 'gitgate.requests';
/** Ends work whose sandbox is left. What it asked for is asked again when that is opened. */
export const LEFT = Symbol('the sandbox was left');

/** Of sandboxes that are gone with the page. */
const passing = new Map<string, Request>();
const held = new Map<string, Held>();

/** As this page has written it. The tool checks it as it checks any. */
function destination({ target, isProposed }: Row): Destination | undefined {
  if (target === undefined) return undefined;
  return { target: target as unknown as Destination['target'], isProposed: isProposed === true };
}

function read(key: string): Request | undefined {
  const found = passing.get(key);
  if (found) return found;
  try {
    const value = row(JSON.parse(local.getItem(PREFIX + key) ?? 'null') as Json);
    const to = (['upstream', 'bundle', 'hand_over'] as const).find((one) => one === value.to);
    const sandbox = text(value.sandbox);
    if (!to || !sandbox) return undefined;
    const where = destination(row(value.where));
    return { key, sandbox, to, branch: text(value.branch) || undefined, where, isAsked: value.isAsked === true };
  } catch {
    // It is none of this page's.
    return undefined;
  }
}

function all(): Request[] {
  const keys = local.keys().flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
  return [...keys.sort(), ...passing.keys()].flatMap((key) => read(key) ?? []);
}

/** Those of all tabs. */
export const requests = signal(all());
/** The keys of those that this page asks for, and of those that another page does. */
export const here = signal<ReadonlySet<string>>(new Set());
export const elsewhere = signal<ReadonlySet<string>>(new Set());

export const isOwn = (key: string): boolean => own().includes(key);
const own = (): string[] => (session.getItem(OWN) ?? '').split('\n').filter(Boolean);
const setOwn = (keys: string[]): void => session.setItem(OWN, keys.join('\n'));

/** Those of this tab in the sandbox that nobody asks for now. */
export const left = (sandbox: string): Request[] =>
  own().flatMap((key) => {
    const found = held.has(key) ? undefined : read(key);
    return found?.sandbox === sandbox ? found : [];
  });

export class Held {
  /** Whether a question of it is open. Another one comes after a revision. */
  isOpen = false;

  constructor(
    public request: Request,
    private readonly isKept: boolean,
    private readonly free: () => void,
  ) {
    held.set(request.key, this);
    setOwn([...own().filter((key) => key !== request.key), request.key]);
    this.#put({});
  }

  #put(now: Partial<Request>): void {
    this.request = { ...this.request, ...now };
    const { key } = this.request;
    // Another page hears only of a value that differs.
    if (this.isKept) local.setItem(PREFIX + key, JSON.stringify({ ...this.request, at: performance.now() }));
    else passing.set(key, this.request);
    look();
  }

  asked(): void {
    this.isOpen = true;
    this.#put({ isAsked: true });
  }

  /** Nobody is asked about it any more. */
  answered(): void {
    forget(this.request.key);
  }

  /** The work for it is over. One that was left stays, unless it was answered. */
  end(isLeft: boolean): void {
    held.delete(this.request.key);
    if (isLeft && this.isKept) look();
    else forget(this.request.key);
    this.free();
  }
}

function forget(key: string): void {
  passing.delete(key);
  local.removeItem(PREFIX + key);
  setOwn(own().filter((other) => other !== key));
  look();
}

/** The sandbox is gone. */
export function forgetRequests(sandbox: string): void {
  for (const { key } of requests.peek().filter((one) => one.sandbox === sandbox)) forget(key);
}

/** Takes what no page asks for now. What this tab has asked for itself is waited for. */
export async function take(key: string, isWaiting: boolean): Promise<Held | undefined> {
  const free = await lock(PREFIX + key, !isWaiting);
  if (!free) return undefined;
  const found = read(key);
  // It was answered in another page.
  if (!found) free();
  return found && new Held(found, true, free);
}

interface Wanted extends Pick<Request, 'sandbox' | 'to' | 'branch' | 'where'> {
  /** Whether the sandbox is there when the page is loaded again. */
  isKept: boolean;
}

/** Does the work that asks a person, and keeps what it asks for until that is answered. */
export async function keeping<T>(
  { isKept, ...wanted }: Wanted,
  signal: AbortSignal,
  work: () => Promise<T>,
  known?: Held,
): Promise<T> {
  const begin = async (): Promise<Held> => {
    const key = crypto.randomUUID();
    const free = await lock(PREFIX + key, false);
    return new Held({ key, ...wanted, isAsked: false }, isKept, free ?? (() => undefined));
  };
  const now = known ?? (await begin());
  try {
    return await work();
  } finally {
    now.end(signal.reason === LEFT);
  }
}

/** What a new question is about. Those of one kind are asked in the order in which they were begun. */
export function find(sandbox: string, isBundle: boolean): Held | undefined {
  return [...held.values()].find(
    ({ isOpen, request }) => !isOpen && request.sandbox === sandbox && (request.to !== 'upstream') === isBundle,
  );
}

/** Notices when the page that asks is gone. */
async function watch(key: string): Promise<void> {
  if (held.has(key) || !(await isLocked(PREFIX + key))) return;
  elsewhere.value = new Set(elsewhere.peek()).add(key);
  await untilFree(PREFIX + key);
  const others = new Set(elsewhere.peek());
  others.delete(key);
  elsewhere.value = others;
}

const watched = new Set<string>();
let looks = 0;

function look(): void {
  looks += 1;
  const mine = looks;
  requests.value = all();
  here.value = new Set(held.keys());
  for (const { key } of requests.peek()) {
    if (held.has(key) || watched.has(key)) continue;
    watched.add(key);
    void watch(key).finally(() => {
      watched.delete(key);
      // Another page may have begun to ask for it meanwhile.
      if (looks !== mine) look();
    });
  }
}

look();
addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(PREFIX)) look();
});
