// The shapes of comments, and of what was seen of a push.

import type {
  Comment,
  CommentReply,
  Listed,
  PatchFile,
  Place,
  Spot,
  Unit,
  UnitKey,
} from '../comment.js';
import { list, number, oneOf, optional, orNull, shape, text, yesOrNo } from './check.js';
import type { Check } from './check.js';

const side = oneOf('old', 'new');
const onPush = shape({ on: oneOf('push') });
const onFile = shape({ on: oneOf('file'), path: text });
const onLines = shape({ on: oneOf('lines'), path: text, side, first: number, last: number });
const inLines = shape<{ lines?: string[] | undefined; before?: string[] | undefined; after?: string[] | undefined }>({
  lines: optional(list(text)),
  before: optional(list(text)),
  after: optional(list(text)),
});
const place: Check<Place> = (value): value is Place =>
  onPush(value) || onFile(value) || (onLines(value) && inLines(value));

const reply: Check<CommentReply> = shape({ by: text, agent: yesOrNo, text, at: number });

const members = {
  id: text,
  commit: text,
  place,
  weight: oneOf('must', 'note'),
  text,
  by: text,
  at: number,
  sent: yesOrNo,
  replies: list(reply),
  settled: orNull(shape({ by: text, at: number })),
};
export const comment: Check<Comment> = shape(members);
export const comments: Check<{ comments: Comment[] }> = shape({ comments: list(comment) });

const spot: Check<Spot> = shape({ file: number, side, first: number, last: number });
export const placed: Check<Comment & { spot: Spot | null }> = shape({ ...members, spot: orNull(spot) });

const key: Check<UnitKey> = shape({ content: text, base: orNull(text), line: number, unique: yesOrNo });
const unit: Check<Unit> = shape({
  key,
  state: oneOf('new', 'changed', 'same'),
  by: orNull(text),
  since: orNull(text),
  before: orNull(key),
});

export const patchFile: Check<PatchFile> = shape({
  letter: text,
  path: text,
  from: orNull(text),
  said: text,
  head: text,
  hunks: list(text),
});
export const listed: Check<Listed> = shape({
  path: text,
  files: list(number),
  moved: orNull(patchFile),
  whole: yesOrNo,
  units: list(unit),
});
