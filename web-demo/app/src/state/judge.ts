// A person's answers to a question, with the dialogs that must come first.

import type { Acts } from '../screens/review/acts.js';
import { ask, sent } from './dialog.js';
import type { Ask } from './dialog.js';
import { live } from './live.js';
import * as review from './review.js';
import { currentName, go } from './route.js';
import { attempt, note } from './toast.js';
import { askToken } from './token.js';

const count = (some: number, what: string): string => `${some} ${what}${some === 1 ? '' : 's'}`;

/** Whether the question is still the one that the person saw. Tells them if not. */
function isStill(question: typeof review.question.value): boolean {
  if (question === review.question.value) return true;
  note('What was asked has changed. Look at it again.');
  return false;
}

/** Asks a person something about the question. Their answer must not apply to another question. */
async function about(what: Omit<Ask, 'done'>): Promise<string | undefined> {
  const question = review.question.value;
  const said = await ask(what);
  return said === undefined || isStill(question) ? said : undefined;
}

/** Identifies a text: another review of the same call may still need it. */
const textFor = (what: string): string =>
  `${what} ${currentName.value} ${review.question.value?.id ?? review.model.asked.value?.push?.digest ?? ''}`;

const token = (): Promise<boolean> => askToken(currentName.value ?? '');

async function approve(): Promise<void> {
  const question = review.question.value;
  if (!question || review.busy.value) return;
  const high = review.model.unopenedHigh.value.length;
  if (high > 0) return note(`Open ${count(high, 'high-risk file')} first.`);
  if (review.model.isRevised.value) return note('Create the revision first, or include everything again.');
  if (!(await approveUnopened())) return;
  // Without a token, the approval would be spent on a push that GitHub refuses.
  if (review.needsToken.value && !((await token()) && isStill(question))) return;
  if (review.model.isProtected.value) {
    const { branch = '' } = review.model.asked.value?.push ?? {};
    const sure = await about({
      title: 'Push to a protected branch?',
      body: `${branch} is protected: others build on it at once.`,
      action: 'Approve',
      isDangerous: true,
    });
    if (sure === undefined) return;
  }
  await review.approve();
}

/** A person may approve unopened files only by saying so. */
async function approveUnopened(): Promise<boolean> {
  const left = review.model.unopened.value;
  if (left.length === 0) return true;
  const some = left.slice(0, 10).map(({ path }) => `\n${path}`);
  const more = left.length > 10 ? `\nand ${left.length - 10} more` : '';
  const said = await about({
    title: `Approve with ${count(left.length, 'unopened file')}?`,
    body: `You have not seen what changes in:${some.join('')}${more}`,
    action: `Approve with ${left.length} unopened`,
    isDangerous: true,
  });
  return said !== undefined;
}

async function reject(): Promise<void> {
  const question = review.question.value;
  if (!question || review.busy.value) return;
  const reasonFor = textFor('reason');
  const field = { label: 'Reason', value: '', isLong: true, isRequired: true, about: reasonFor };
  const body = 'The agent reads the reason and can fix what is wrong.';
  const reason = await about({ title: 'Reject', body, action: 'Reject', isDangerous: true, field });
  if (reason === undefined) return;
  if (!(await review.answer({ say: 'reject', reason }, 'Rejecting'))) return;
  sent(reasonFor);
  // For a push, the outcome says so.
  if (question.about === 'call') note('Rejected. The agent reads why.');
}

/** Sends the open comments to the agent, with a reason; without any comment there must be one. */
async function askChanges(): Promise<void> {
  const { value: question } = review.question;
  if (!question || review.busy.value || !review.model.canComment.value) return;
  const open = review.model.noted.open.value.length;
  const reasonFor = textFor('changes');
  const field = { label: 'What is to change', value: '', isLong: true, isRequired: open === 0, about: reasonFor };
  const marked = review.model.files.value.some((file) => review.model.isReviewed(file));
  const body =
    (open === 0
      ? 'No comment is open, so say here what is to change.'
      : `The agent gets ${count(open, 'comment')}, and what you say here, which may be empty.`) +
    (marked ? '' : ' Files that you mark as reviewed (V) are shown next time with what is new in them.');
  const reason = await about({ title: 'Ask for changes', body, action: 'Ask for changes', field });
  if (reason === undefined) return;
  if (!(await review.answer({ say: 'askChanges', reason }, 'Asking for changes'))) return;
  sent(reasonFor);
}

async function reply(comment: string): Promise<void> {
  const replyFor = `answer ${comment}`;
  const field = { label: 'Answer', value: '', isLong: true, isRequired: true, about: replyFor };
  const body = 'The agent reads it with the comment.';
  const text = await about({ title: 'Answer the comment', body, action: 'Answer', field });
  if (text === undefined) return;
  sent(replyFor);
  review.model.noted.change(comment, { change: 'reply', text });
}

async function message(): Promise<void> {
  const last = review.model.lastCommit.value;
  if (!last) return;
  const messageFor = textFor('message');
  const value = review.model.message.value ?? last.message;
  const field = { label: 'Message', value, isLong: true, isRequired: true, about: messageFor };
  const body = 'This becomes the message of the last commit. You review the revision before it leaves.';
  const text = await about({ title: 'Edit the message', body, action: 'Use this message', field });
  if (text === undefined) return;
  sent(messageFor);
  review.model.message.value = text === last.message ? undefined : text;
}

function later(): void {
  // A call that waits already keeps waiting.
  if (!review.reviewed.value && review.question.value) live.value?.answer({ say: 'later' });
  go('commits');
}

export const judge: Acts = {
  approve: (): void => attempt(approve),
  reject: (): void => attempt(reject),
  askChanges: (): void => attempt(askChanges),
  reply: (comment): void => attempt(() => reply(comment)),
  message: (): void => attempt(message),
  revise: (): void => {
    if (review.model.isRevised.value && !review.busy.value) attempt(review.revise);
  },
  later,
  token: (): void => attempt(async () => void (await token())),
};
