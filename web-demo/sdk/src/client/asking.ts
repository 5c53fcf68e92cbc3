// Asks a person about pending calls, and sends their answers. A server asks nobody.

import { told } from '../error.js';
import type { Advance } from '../protocol.js';
import type { Answer, Push, Question } from '../question.js';
import type { Failed, Pending, Reply, Sent } from '../reply.js';
import type { Person } from './person.js';
import { parsed } from './server.js';
import { shown } from './shown.js';

/** The context of a request in progress. */
export interface Work {
  /** Whether somebody answers questions here. */
  isAsked: boolean;
  ask(question: Question): Promise<Answer>;
}

const hasDigest = (push: Push): push is Push & { digest: string } => push.digest !== null;

/** The push that a person can decide about. */
function pushOf({ push }: Pending): (Push & { digest: string }) | undefined {
  return push && hasDigest(push) ? push : undefined;
}

function later(pending: Pending, { reason }: Answer & { say: 'later' }): Pending {
  return { ...pending, reason: reason ?? 'nobody has decided yet' };
}

/** In the host's words. Nothing is sent, because a call of the user does not wait. */
function rejected(reason: string): Failed {
  return {
    outcome: 'failed',
    kind: 'rejected',
    message: reason === '' ? 'Rejected by the user' : `Rejected by the user: ${reason}`,
    hint: 'ask the user what to change, and do not repeat the same call; nothing has changed',
    reason,
    partial: null,
  };
}

type Ended<D> = D | Failed | Pending;

/** Asks about a push or an export until it is made, rejected or postponed. `make` repeats it with further options. */
export async function askedAsUser<D extends { outcome: 'done' }>(
  ended: Ended<D>,
  make: (more: Advance) => Promise<Ended<D>>,
  work: Work,
): Promise<Ended<D>> {
  for (let now = ended; ;) {
    const push = now.outcome === 'pending' ? pushOf(now) : undefined;
    if (now.outcome !== 'pending' || !push || !work.isAsked) return now;
    const answer = await work.ask({ id: null, about: 'push', push: shown(push) });
    if (answer.say === 'later') return later(now, answer);
    // Nobody but the person reads what they want otherwise in their own push.
    if (answer.say === 'reject' || answer.say === 'askChanges') return rejected(answer.reason);
    // The sandbox stores an edit, so send it once.
    const isEdit = answer.say === 'revise';
    now = await make(isEdit ? { revision: answer.revision } : { digest: answer.digest ?? push.digest });
    // If an approved push was not made, ask again only if it is another push.
    if (!isEdit && now.outcome === 'pending' && now.push?.digest === push.digest) return now;
  }
}

/** An agent's call. */
export interface AgentCall {
  tool: string;
  args: object;
  make: () => Promise<Sent<Reply>>;
  /** Who decides about it. */
  person: Person;
}

/** Asks about an agent's call until it is made, rejected, or keeps waiting. */
export async function askedAsAgent(ended: Sent<Reply>, call: AgentCall, work: Work): Promise<Sent<Reply>> {
  let now = ended;
  while (now.outcome === 'pending' && now.waits && work.isAsked) {
    const id = await waitingId(call);
    // Somebody else has answered it meanwhile. Repeating the call tells the agent.
    if (id === undefined) return call.make();
    const decided = await decide(now, id, call.person, work);
    if (decided) return decided;
    now = await call.make();
  }
  return now;
}

/** How the call ended, or `undefined` if the agent must repeat it. */
async function decide(pending: Pending, id: string, person: Person, work: Work): Promise<Sent<Reply> | undefined> {
  for (let before: string | undefined; ;) {
    const question = await ifWaits(person.review(id));
    if (!question) return undefined;
    const digest = question.about === 'push' ? question.push.push?.digest : undefined;
    // The person approved it, but it still waits, and there is nothing else to approve.
    if (before !== undefined && before === digest) return pending;
    const answer = await work.ask(question);
    if (answer.say === 'later') return later(pending, answer);
    const isApproval = answer.say === 'approve';
    const said = isApproval && digest !== undefined ? { ...answer, digest: answer.digest ?? digest } : answer;
    const ended = await ifWaits(person.decide(id, said));
    // The server keeps a rejection or what is to change for the agent, which receives it by repeating the call.
    if (!ended || answer.say === 'reject' || answer.say === 'askChanges') return undefined;
    if (ended.outcome !== 'pending') return ended;
    before = isApproval ? digest : undefined;
  }
}

/** `undefined` if somebody else was faster. */
async function ifWaits<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (told(error).kind === 'not-found') return undefined;
    throw error;
  }
}

/** The reply does not name the waiting call. Equal calls wait only once. */
async function waitingId({ tool, args, person }: AgentCall): Promise<string | undefined> {
  const wanted = sorted(args);
  const all = await person.waiting();
  return all.find((one) => one.tool === tool && sorted(parsed(one.arguments)) === wanted)?.id;
}

/** JSON with sorted members. */
function sorted(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
