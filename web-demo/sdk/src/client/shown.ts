// The question about a push that the user makes: a server tells it in the words for a screen only.

import type { Patch, Push, PushQuestion, Risk } from '../question.js';

/** A line for each flag, in the order of the review. */
function risksOf({ warnings, review }: Push): Risk[] | null {
  const lines = warnings.split('\n').filter((line) => line !== '');
  const risks = lines.flatMap((line): Risk[] => {
    const [, severity, sentence = ''] = /^(low|medium|high): (.*)$/s.exec(line) ?? [];
    return severity === 'low' || severity === 'medium' || severity === 'high' ? [{ severity, sentence }] : [];
  });
  return risks.length === review.flags.length && risks.length === lines.length ? risks : null;
}

/** The path in the first line of a patch, as a screen shows it. */
function pathOf(patch: string): string | undefined {
  const [, names = ''] = /^diff --git ([^\n]*)/.exec(patch) ?? [];
  const half = (names.length - 1) / 2;
  const [before, after] = [names.slice(0, half), names.slice(half + 1)];
  return before.startsWith('a/') && after === `b/${before.slice(2)}` ? before.slice(2) : undefined;
}

/** The line that stands before the patch of an intermediate file. */
const BETWEEN = /\nOnly in the intermediate commit [0-9a-f]+:\n$/;

/** Patches follow the commits, whose messages are indented, and any line of a text has a sign. */
function patchesOf({ whole, review }: Push): Patch[] | null {
  const [, ...parts] = whole.split(/(?<=^|\n)(?=diff --git )/);
  const files = [...review.files, ...review.intermediate.map(({ change }) => change)];
  if (parts.length !== files.length) return null;
  return files.map((file, at) => {
    const patch = (parts[at] ?? '').replace(BETWEEN, '');
    const path = pathOf(patch) ?? file.path;
    // A file that is new or gone has no hunks that a revision could leave out.
    const isEdit = [file.old, file.new].every((one) => one?.mode.startsWith('10'));
    const isText = isEdit && !file.binary && !file.disguised && file.encoding === null;
    const [head = '', ...hunks] = isText ? patch.split(/(?<=\n)(?=@@ )/) : [patch];
    return { path, head, hunks };
  });
}

/** Why it is asked is not told, and no rule is offered. */
export function shown(push: Push & { digest: string }): PushQuestion {
  return { reasons: [], offer: null, push, patches: patchesOf(push), risks: risksOf(push) };
}
