// One question and one answer between the parts of the extension. The receiver checks the sender: content
// scripts run beside pages, so their messages deserve no more trust than a page's.

import { GitgateError, decode, encode, errorOf, told } from 'gitgate/extension';
import type { HttpAnswer, HttpRequest, Told } from 'gitgate/extension';

import type { Account, Begin, Kept } from './kept.js';

/** The questions to each part, with arguments and results. */
interface Methods {
  worker: {
    /** Creates the document with the sandboxes, if it does not exist. */
    wake: [null, null];
    http: [HttpRequest, HttpAnswer];
    load: [null, Kept];
    save: [Kept, null];
    /** The number of agents that ask for permission. */
    asking: [number, null];
    account: [null, Account];
    options: [{ base: string; clientId: string }, Account];
    /** With the token that was handed over. Messages reach all parts, so no message contains it. */
    signIn: [{ keep: boolean }, Account];
    signOut: [null, Account];
    /** Signs in to a git server's repository, with the password that was handed over. */
    login: [{ address: string; username: string }, null];
    device: [{ keep: boolean }, Account];
    poll: [null, Account];
  };
  desk: {
    create: [Begin, null];
    remove: [string, null];
    allow: [{ id: string; sandbox: string }, null];
    refuse: [string, null];
    takeBack: [{ agent: string; sandbox: string }, null];
  };
}

type Part = keyof Methods;
type Pair<P extends Part, M extends keyof Methods[P]> = Methods[P][M] extends [infer A, infer R] ? [A, R] : never;
type Handlers<P extends Part> = {
  [M in keyof Methods[P]]: (args: Pair<P, M>[0]) => Promise<Pair<P, M>[1]>;
};

/** The message format. The receiver checks its fields. */
type Answered = { ok: unknown } | { error: Told };

export async function ask<P extends Part, M extends keyof Methods[P] & string>(
  to: P,
  method: M,
  args: Pair<P, M>[0],
): Promise<Pair<P, M>[1]> {
  const answer: Answered | undefined = await chrome.runtime
    .sendMessage({ to, method, args: encode(args) })
    .catch((error: unknown) => Promise.reject(lost(told(error).message)));
  if (!answer) throw lost('nothing came back');
  if ('error' in answer) throw errorOf(answer.error);
  return decode(answer.ok) as Pair<P, M>[1];
}

const lost = (why: string): GitgateError => new GitgateError('lost', `no answer: ${why}`, 'try again');

/** The answer, unless it takes too long: a stopped service worker may never answer. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(lost('it took too long')), ms)));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const TRY_MS = 3000;

/** Asks the service worker again if it was stopped meanwhile. The question must be idempotent. */
export async function insist<M extends 'wake' | 'load' | 'save' | 'asking' | 'account'>(
  method: M,
  args: Pair<'worker', M>[0],
): Promise<Pair<'worker', M>[1]> {
  for (let left = 4; ; left -= 1) {
    try {
      return await within(TRY_MS, ask('worker', method, args));
    } catch (error) {
      if (left === 0 || told(error).kind !== 'lost') throw error;
    }
  }
}

/** Answers questions from senders that `mayAsk` accepts. */
export function answer<P extends Part>(
  part: P,
  handlers: Handlers<P>,
  mayAsk: (method: keyof Methods[P], sender: chrome.runtime.MessageSender) => boolean,
): void {
  const isMethod = (name: unknown): name is keyof Methods[P] & string =>
    typeof name === 'string' && Object.hasOwn(handlers, name);
  chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    if (typeof message !== 'object' || message === null || Reflect.get(message, 'to') !== part) return false;
    const method: unknown = Reflect.get(message, 'method');
    if (!isMethod(method) || !mayAsk(method, sender)) {
      respond({ error: { kind: 'refused', message: 'this may not be asked', hint: '' } });
      return false;
    }
    // The accepted senders are parts of the extension, which keep to the types.
    const args = decode(Reflect.get(message, 'args')) as Pair<P, typeof method>[0];
    handlers[method](args).then(
      (value) => respond({ ok: encode(value) }),
      (error: unknown) => respond({ error: told(error) }),
    );
    return true;
  });
}

/** Whether the sender is a document of this extension, and which one. No content script has its origin. */
export function isOurs(sender: chrome.runtime.MessageSender | undefined, place = ''): boolean {
  return (
    sender?.id === chrome.runtime.id &&
    sender.origin === new URL(chrome.runtime.getURL('')).origin &&
    sender.url?.startsWith(chrome.runtime.getURL(place)) === true
  );
}
