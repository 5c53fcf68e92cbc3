// Displays texts of an agent or a repository.

import { pieces, visible } from './stand-in.js';
import type { Kind, StandIn } from './stand-in.js';

/** The limits for longer texts and titles. */
const MOST = 20_000;
const MOST_IN_TITLE = 2000;

const Chip = ({ of: { label, title } }: { of: StandIn }) => (
  <span class="chip-hidden" title={title}>
    {label}
  </span>
);

const parts = (text: string, kind: Kind) =>
  pieces(text, kind).map((piece) => (typeof piece === 'string' ? piece : <Chip of={piece} />));

/** The same, with the characters at these positions marked. */
function marked(text: string, marks: Set<number>) {
  let at = 0;
  return pieces(text, 'name').flatMap((piece) =>
    (typeof piece === 'string' ? [...piece] : [piece]).map((one) => {
      const isMarked = marks.has(at);
      at += (typeof one === 'string' ? one : one.of).length;
      const shown = typeof one === 'string' ? one : <Chip of={one} />;
      return isMarked ? <mark>{shown}</mark> : shown;
    }),
  );
}

/** A name with the matched letters marked. */
export const FoundName = ({ text, at }: { text: string; at: number[] }) => (
  <bdi class="clip" title={visible(text.slice(0, MOST_IN_TITLE), 'name')}>
    {marked(text, new Set(at))}
  </bdi>
);

/** A path. If it is too long, its folders are clipped before its name. */
export function Path({ text }: { text: string }) {
  const cut = text.lastIndexOf('/') + 1;
  return (
    <span class="path" title={visible(text.slice(0, MOST_IN_TITLE), 'name')}>
      {cut > 0 && <bdi class="clip folder">{parts(text.slice(0, cut), 'name')}</bdi>}
      <bdi class="clip">{parts(text.slice(cut), 'name')}</bdi>
    </span>
  );
}

interface PlainProps {
  text: string;
  /** Clips the text to one line if necessary. The title has all of it. */
  clip?: boolean;
  mono?: boolean;
}

const Shown = ({ text, kind, mono }: { text: string; kind: Kind; mono: boolean | undefined }) => {
  const clip = kind !== 'text';
  return (
    <bdi
      class={`${clip ? 'clip' : 'whole'} ${mono ? 'mono' : ''}`}
      title={clip ? visible(text.slice(0, MOST_IN_TITLE), kind) : undefined}
    >
      {parts(text.length > MOST ? `${text.slice(0, MOST)}…` : text, kind)}
    </bdi>
  );
};

export const Plain = ({ text, clip = true, mono }: PlainProps) => (
  <Shown text={text} kind={clip ? 'line' : 'text'} mono={mono} />
);

export interface Part {
  text: string;
  /** A CSS class. */
  look?: string | undefined;
}

/** The displayed part of a text. */
function cut(of: Part[]): Part[] {
  let left = MOST;
  const found: Part[] = [];
  for (const part of of) {
    found.push({ ...part, text: part.text.slice(0, left) });
    left -= part.text.length;
    if (left < 0) return [...found, { text: '…' }];
  }
  return found;
}

/** A text with parts of different styles. */
export const Parts = ({ of }: { of: Part[] }) => (
  <bdi class="whole mono">
    {cut(of).map(({ text, look }) => (look ? <span class={look}>{parts(text, 'text')}</span> : parts(text, 'text')))}
  </bdi>
);

/** A path, a branch, a sandbox: names where spaces matter. */
export const Name = ({ text, mono }: { text: string; mono?: boolean }) => <Shown text={text} kind="name" mono={mono} />;
