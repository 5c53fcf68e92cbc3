// The page's own requests to a person: pushes and bundles. No sandbox stores them, so they are stored here
// until they are answered. The asking page holds a lock; a page that is gone holds none.

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
  /** For a push: its destination, if it is not the branch's origin. */
  where?: Destination | undefined;
  /** Whether the person's question is open. Before that, the review is being prepared. */
  isAsked: boolean;
}

const PREFIX = 'gitgate.request:';
/** The keys of this tab's own requests. A reload finds them again by these. */
const OWN = 'gitgate.requests';
/** Ends work whose sandbox the person left. Its request is repeated when they open the sandbox again. */
export const LEFT = Symbol('the sandbox was left');

/** The requests of sandboxes that end with the page. */
const passing = new Map<string, Request>();
const held = new Map<string, Held>();

/** This page wrote it. The tool checks it like any other. */
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
    // The value is not this page's.
    return undefined;
  }
}

function all(): Request[] {
  const keys = local.keys().flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
  return [...keys.sort(), ...passing.keys()].flatMap((key) => read(key) ?? []);
}

/** The requests of all tabs. */
export const requests = signal(all());
/** The keys of the requests that this page asks about, and of those that another page does. */
export const here = signal<ReadonlySet<string>>(new Set());
export const elsewhere = signal<ReadonlySet<string>>(new Set());

export const isOwn = (key: string): boolean => own().includes(key);
const own = (): string[] => (session.getItem(OWN) ?? '').split('\n').filter(Boolean);
const setOwn = (keys: string[]): void => session.setItem(OWN, keys.join('\n'));

/** This tab's requests in the sandbox that nobody asks about now. */
export const left = (sandbox: string): Request[] =>
  own().flatMap((key) => {
    const found = held.has(key) ? undefined : read(key);
    return found?.sandbox === sandbox ? found : [];
  });

export class Held {
  /** Whether its question is open. After a revision, another one follows. */
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
    // Another page is notified only of a changed value.
    if (this.isKept) local.setItem(PREFIX + key, JSON.stringify({ ...this.request, at: performance.now() }));
    else passing.set(key, this.request);
    look();
  }

  asked(): void {
    this.isOpen = true;
    this.#put({ isAsked: true });
  }

  /** The person has answered. */
  answered(): void {
    forget(this.request.key);
  }

  /** The work for it is over. A request that was left stays, unless it was answered. */
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

/** The sandbox was removed. */
export function forgetRequests(sandbox: string): void {
  for (const { key } of requests.peek().filter((one) => one.sandbox === sandbox)) forget(key);
}

/** Takes over a request that no page asks about now. Waits for the lock if this tab made it. */
export async function take(key: string, isWaiting: boolean): Promise<Held | undefined> {
  const free = await lock(PREFIX + key, !isWaiting);
  if (!free) return undefined;
  const found = read(key);
  // Another page got the answer.
  if (!found) free();
  return found && new Held(found, true, free);
}

interface Wanted extends Pick<Request, 'sandbox' | 'to' | 'branch' | 'where'> {
  /** Whether the sandbox survives a reload of the page. */
  isKept: boolean;
}

/** Runs work that asks a person, and stores the request until it is answered. */
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

/** The request of a new question. Requests of one kind ask in the order of their start. */
export function find(sandbox: string, isBundle: boolean): Held | undefined {
  return [...held.values()].find(
    ({ isOpen, request }) => !isOpen && request.sandbox === sandbox && (request.to !== 'upstream') === isBundle,
  );
}

/** Notices when the asking page is gone. */
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
      // Another page may have taken it over meanwhile.
      if (looks !== mine) look();
    });
  }
}

look();
addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(PREFIX)) look();
});
