import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { isNarrow } from '../narrow.js';
import { Plain } from '../plain.js';
import type { Choice } from './box.js';
import type { Escaped } from './escaped.js';
import { mount } from './mount.js';
import { apart } from './patch.js';

interface DiffProps {
  path: string;
  head: string;
  hunks: string[];
  escaped: Escaped;
  isSplit: boolean;
  choice?: Choice;
}

/** How the gate has read what git takes for binary. */
const notesOf = (head: string): string[] => head.split('\n').filter((line) => line.startsWith('Binary'));

export function Diff({ path, head, hunks: given, escaped, isSplit: isWanted, choice }: DiffProps) {
  const isSplit = isWanted && !isNarrow.value;
  const host = useRef<HTMLDivElement>(null);
  const redraw = useRef<(() => void) | undefined>(undefined);
  const { hunks, head: said } = apart(head, given);
  const now = useRef(choice);
  now.current = choice;
  const hasChoice = choice !== undefined && given.length > 0;
  // In the frame of what is around it, which would be painted without it else.
  useLayoutEffect(() => {
    if (!host.current || hunks.length === 0) return;
    // The choice of now, not of when it was mounted.
    const through: Choice | undefined = hasChoice
      ? { count: hunks.length, isOut: (at) => now.current?.isOut(at) ?? false, toggle: (at) => now.current?.toggle(at) }
      : undefined;
    const mounted = mount(host.current, { path, hunks, escaped, choice: through, isSplit });
    redraw.current = mounted.redraw;
    return mounted.end;
  }, [path, head, given, escaped, isSplit, hasChoice]);
  // What is left out is drawn anew.
  useEffect(() => {
    redraw.current?.();
  }, [choice]);
  if (hunks.length > 0) {
    return (
      <>
        {notesOf(said).map((note) => (
          <p key={note} class="code-note">
            {note}
          </p>
        ))}
        <div ref={host} key="code" class="code" />
      </>
    );
  }
  return (
    <pre key="head" class="code-head" tabIndex={0}>
      <Plain text={said || 'Nothing in it has changed.'} clip={false} />
    </pre>
  );
}
