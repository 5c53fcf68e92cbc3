// The shapes of a server's answers, from `host-cli/api/openapi.json` and the host's JSON. Additional
// members pass, as in a sandbox that is open here.

import type {
  CallQuestion,
  CommitLine,
  FileChange,
  FileVersion,
  Flag,
  Offer,
  Patch,
  Push,
  PushQuestion,
  Question,
  Review,
  Risk,
  Waiting,
} from '../question.js';
import type { Done, Pending } from '../reply.js';
import type { Json, ToolSpec } from '../tools.js';
import { anything, list, number, oneOf, optional, orNull, shape, text, yesOrNo } from './check.js';
import type { Check } from './check.js';
import { listed, patchFile, placed } from './noted-shapes.js';

const severity = oneOf('low', 'medium', 'high');
const offer: Check<Offer> = shape({ rule: text, place: text });

const version: Check<FileVersion> = shape({ mode: text, id: text, size: orNull(number) });

const file: Check<FileChange> = shape({
  status: oneOf('A', 'M', 'D', 'T'),
  path: text,
  old: orNull(version),
  new: orNull(version),
  added: number,
  deleted: number,
  binary: yesOrNo,
  disguised: yesOrNo,
  encoding: orNull(text),
  link: orNull(text),
  hidden_characters: yesOrNo,
  conflict_markers: yesOrNo,
  lfs_pointer: yesOrNo,
});

const commit: Check<CommitLine> = shape({
  id: text,
  parents: list(text),
  subject: text,
  message: text,
  author: text,
  date: text,
  committer: text,
  committer_date: text,
});

const named = shape<{ flag: string; path?: string | undefined }>({ flag: text, path: optional(text) });
const flag: Check<Flag> = (value): value is Flag => named(value);

const review: Check<Review> = shape({
  target: text,
  reference: text,
  old: orNull(text),
  new: text,
  base: orNull(text),
  new_branch: yesOrNo,
  commits: list(commit),
  supplied: number,
  files: list(file),
  intermediate: list(shape({ commit: text, change: file })),
  flags: list(flag),
});

const shown = { target: text, branch: text, summary: text, warnings: text, whole: text, review };
const push: Check<Push> = shape({ digest: orNull(text), ...shown });
const namedPush: Check<Push & { digest: string }> = shape({ digest: text, ...shown });

const patch: Check<Patch> = shape({ path: text, head: text, hunks: list(text) });
const risk: Check<Risk> = shape({ severity, sentence: text });

const pushQuestion: Check<PushQuestion> = shape({
  reasons: list(text),
  offer: orNull(offer),
  push: orNull(namedPush),
  patches: orNull(list(patch)),
  risks: orNull(list(risk)),
  who: text,
  listed: list(listed),
  gone: list(text),
  steps: list(list(patchFile)),
  comments: list(placed),
});

const callQuestion: Check<CallQuestion> = shape({
  tool: text,
  severity,
  summary: text,
  detail: text,
  reasons: list(text),
  offer: orNull(offer),
});

const aboutCall = shape({ id: text, about: oneOf('call'), call: callQuestion });
const aboutPush = shape({ id: text, about: oneOf('push'), push: pushQuestion });
export const question: Check<Question> = (value): value is Question => aboutCall(value) || aboutPush(value);

const inside = orNull(shape({ severity, summary: text, detail: text, reasons: list(text) }));

const waitingCall: Check<Waiting> = shape({ id: text, tool: text, arguments: text, at: number, inside });
export const waiting: Check<{ waiting: Waiting[] }> = shape({ waiting: list(waitingCall) });

export const done: Check<Done> = shape({
  outcome: oneOf('done'),
  text,
  structured: anything,
  truncated: yesOrNo,
});

export const pending: Check<Pending> = shape({
  outcome: oneOf('pending'),
  reason: text,
  hint: text,
  waits: yesOrNo,
  push: orNull(push),
  inside,
});

/** An error. For a call, it is a reply if it reports a person's words, or that nobody answered. */
export const problem = shape({ kind: text, detail: text, hint: text });
export const failed = shape({ kind: text, detail: text, hint: text, reason: orNull(text), partial: orNull(text) });

const tool: Check<ToolSpec> = shape({
  name: text,
  description: text,
  toolsets: list(text),
  schema: text,
  outputSchema: text,
  manual: yesOrNo,
  readOnly: yesOrNo,
});
export const tools: Check<{ tools: ToolSpec[] }> = shape({ tools: list(tool) });

export const decisions: Check<{ decisions: Json[] }> = shape({ decisions: list(anything) });
