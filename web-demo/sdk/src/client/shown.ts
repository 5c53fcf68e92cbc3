// The question about a user's push: a server only sends its text for a screen.

import type { Patch, Push, PushQuestion, Risk } from '../question.js';

/** One line per flag, in the order of the review. */
function risksOf({ warnings, review }: Push): Risk[] | null {
  const lines = warnings.split('\n').filter((line) => line !== '');
  const risks = lines.flatMap((line): Risk[] => {
    const [, severity, sentence = ''] = /^(low|medium|high): (.*)$/s.exec(line) ?? [];
    return severity === 'low' || severity === 'medium' || severity === 'high' ? [{ severity, sentence }] : [];
  });
  return risks.length === review.flags.length && risks.length === lines.length ? risks : null;
}

/** The path in the first line of a patch, escaped for a screen. */
function pathOf(patch: string): string | undefined {
  const [, names = ''] = /^diff --git ([^\n]*)/.exec(patch) ?? [];
  const half = (names.length - 1) / 2;
  const [before, after] = [names.slice(0, half), names.slice(half + 1)];
  return before.startsWith('a/') && after === `b/${before.slice(2)}` ? before.slice(2) : undefined;
}

/** The line before the patch of an intermediate file. */
const BETWEEN = /\nOnly in the intermediate commit [0-9a-f]+:\n$/;

/** Patches follow the commits. Commit messages are indented, and every content line has a sign. */
function patchesOf({ whole, review }: Push): Patch[] | null {
  const [, ...parts] = whole.split(/(?<=^|\n)(?=diff --git )/);
  const files = [...review.files, ...review.intermediate.map(({ change }) => change)];
  if (parts.length !== files.length) return null;
  return files.map((file, at) => {
    const patch = (parts[at] ?? '').replace(BETWEEN, '');
    const path = pathOf(patch) ?? file.path;
    // A new or deleted file has no hunks that a revision could leave out.
    const isEdit = [file.old, file.new].every((one) => one?.mode.startsWith('10'));
    const isText = isEdit && !file.binary && !file.disguised && file.encoding === null;
    const [head = '', ...hunks] = isText ? patch.split(/(?<=\n)(?=@@ )/) : [patch];
    return { path, head, hunks };
  });
}

/** The server sends neither the reasons nor a rule. */
export function shown(push: Push & { digest: string }): PushQuestion {
  return { reasons: [], offer: null, push, patches: patchesOf(push), risks: risksOf(push) };
}
