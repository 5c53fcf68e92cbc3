// A push or a bundle that the person starts themselves.

import { effect, signal } from '@preact/signals';
import { pushResult } from 'gitgate';
import type { Exported, Reply } from 'gitgate';

import type { Destination } from './destination.js';
import { ended } from './live.js';
import { metas } from './meta.js';
import { proposal, propose } from './pull-request.js';
import { LEFT, keeping } from './requests.js';
import type { Held } from './requests.js';
import { branch, refresh } from './repo.js';
import { saveAs } from './save-as.js';
import { go } from './route.js';
import { changed, isLasting, need, sandbox } from './session.js';
import { attempt, settle } from './toast.js';

export const pushing = signal<AbortController | undefined>(undefined);

/** Whether the approved push arrived, at the target or as a bundle. */
const isThere = (reply: Reply | Exported): boolean =>
  reply.outcome === 'done' && ('bytes' in reply || pushResult(reply).status === 'success');

effect(() => {
  if (ended.value && isThere(ended.value.reply)) settle('push');
});

// Each sandbox has its own pushes. Retrying one from another sandbox would push that sandbox.
effect(() => {
  sandbox.value;
  settle('push');
});

/** A name that is valid on every file system, and one word in a shell. */
const fileOf = (sandbox: string): string =>
  `${sandbox.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'sandbox'}.bundle`;

/** Downloads the bundle of an export, and returns its file name. */
export function download(sandbox: string, reply: Exported): string | undefined {
  if (reply.outcome !== 'done') return undefined;
  const name = fileOf(sandbox);
  saveAs(reply.bytes, name, 'application/x-git-bundle');
  return name;
}

type Target = 'upstream' | 'bundle';

/** Opens the pull request for the landed push, if the person wants one. */
function proposeLanded(sandbox: string, reply: Reply): void {
  const { repo } = metas.value[sandbox] ?? {};
  if (repo === undefined || reply.outcome !== 'done' || !isThere(reply)) return;
  const { branch, commits } = pushResult(reply);
  void propose({ sandbox, repo, branch, title: commits.at(-1)?.subject || branch });
}

async function push(to: Target, signal: AbortSignal, where?: Destination, known?: Held): Promise<void> {
  const one = need();
  const wanted = known?.request.branch ?? (branch.value || undefined);
  const work = async () => {
    const target = where && { target: where.target };
    if (to === 'upstream') return { reply: await one.push({ signal, ...target }), target: to, where };
    const reply = await one.exportBundle(wanted, { signal });
    return { reply, target: to, file: download(one.name, reply) };
  };
  const what = { sandbox: one.name, to, branch: wanted, where, isKept: isLasting.value };
  const end = await keeping(what, signal, work, known);
  if (sandbox.value !== one) return;
  ended.value = end;
  if (where?.isProposed && !('bytes' in end.reply)) proposeLanded(one.name, end.reply);
}

/** A push whose question is open ends without an answer, and nothing of it leaves. */
export function beginPush(to: Target, where?: Destination): void {
  ended.value = undefined;
  proposal.value = undefined;
  go('review', 'live');
  begin(to, where);
}

/** Repeats the finished push, to the same destination. */
export const pushAgain = (): void => beginPush('upstream', ended.value?.where);

/** Resumes the request of another page, or of this one before a reload. */
export function resume(known: Held): void {
  const { to, where } = known.request;
  begin(to === 'upstream' ? 'upstream' : 'bundle', where, known);
}

function begin(to: Target, where?: Destination, known?: Held): void {
  let once = known;
  attempt(async () => {
    pushing.value?.abort();
    const off = new AbortController();
    pushing.value = off;
    const first = once;
    once = undefined;
    try {
      await push(to, off.signal, where, first);
    } catch (error) {
      const isReplaced = off.signal.aborted && pushing.value !== off;
      if (!isReplaced && off.signal.reason !== LEFT) throw error;
    } finally {
      if (pushing.value === off) pushing.value = undefined;
      changed.value += 1;
      if (sandbox.value) await refresh();
    }
  }, 'push');
}
