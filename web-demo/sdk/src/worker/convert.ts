// Converts between the client's messages and the shim's values.

import { GitgateError } from '../error.js';
import type { Answer, Question } from '../question.js';
import type { Failed, Pending, Reply, Sent } from '../reply.js';
import type { Answered, Decision, Said, ShimNeed, ShimReply } from './shim.js';

/** A need that is a question. */
export type Asked = ShimNeed & { tag: 'call' | 'push' };

export function question(asked: Asked, id: string | null): Question {
  return asked.tag === 'call' ? { about: 'call', id, call: asked.val } : { about: 'push', id, push: asked.val };
}

/** The digest of the push in a question. */
export function digestOf(asked: Asked): string | undefined {
  return asked.tag === 'push' ? asked.val.push?.digest : undefined;
}

function decision(tag: 'call' | 'push', answer: Exclude<Answer, { say: 'later' }>): Decision {
  if (answer.say === 'reject') return { tag: 'reject', val: answer.reason };
  if (tag === 'call') {
    if (answer.say === 'approve') return { tag: 'approve' };
    throw new GitgateError('usage', 'only a push can be revised', 'approve the call, or reject it');
  }
  if (answer.say === 'revise') return { tag: 'revise', val: answer.revision };
  if (answer.say === 'askChanges') return { tag: 'ask-changes', val: answer.reason };
  if (answer.digest !== undefined) return { tag: 'approve', val: answer.digest };
  throw new GitgateError(
    'usage',
    'an approval of a push names its digest',
    'give the digest of the push that was shown',
  );
}

function said(tag: 'call' | 'push', answer: Answer): Said {
  if (answer.say === 'later') {
    return { tag: 'unavailable', val: { reason: answer.reason ?? 'nobody has decided yet', hint: '' } };
  }
  const isRemembered = answer.say === 'approve' && answer.remember === true;
  return { tag: isRemembered ? 'remembered' : 'given', val: decision(tag, answer) };
}

/** The answer of a person who saw the question. */
export function answered(tag: 'call' | 'push', answer: Answer): Answered {
  return { tag, val: { said: said(tag, answer), how: 'prompt', wasShown: answer.say !== 'later' } };
}

export function pending({ reason, hint, waits, push, inside }: Omit<Pending, 'outcome'>): Pending {
  return { outcome: 'pending', reason, hint, waits, push, inside };
}

function failed({ kind, message, hint, reason, partial }: Omit<Failed, 'outcome'>): Failed {
  return { outcome: 'failed', kind, message, hint, reason, partial };
}

export function reply(reply: ShimReply): Sent<Reply> {
  switch (reply.tag) {
    case 'result': {
      const { text, structured, truncated } = reply.val;
      return { outcome: 'done', text, structured, truncated };
    }
    case 'error':
      return failed(reply.val);
    case 'not-approved':
      return pending(reply.val);
  }
}
