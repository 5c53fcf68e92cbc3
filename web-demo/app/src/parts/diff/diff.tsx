import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { isNarrow } from '../narrow.js';
import { Plain } from '../plain.js';
import type { Choice } from './box.js';
import type { Escaped } from './escaped.js';
import { FindBar } from './find-bar.js';
import { takeFind } from './finder.js';
import { mount } from './mount.js';
import type { Mounted } from './mount.js';
import { apart } from './patch.js';
import type { Picks } from './picks.js';
import type { Which } from './sides.js';

interface DiffProps {
  path: string;
  head: string;
  hunks: string[];
  escaped: Escaped;
  isSplit: boolean;
  choice?: Choice;
  /** For a diff whose lines a person comments on. */
  picks?: Picks;
  /** The line to show. */
  at?: { side: Which; line: number } | undefined;
}

/** The gate's notes on how it read content that git takes for binary. */
const notesOf = (head: string): string[] => head.split('\n').filter((line) => line.startsWith('Binary'));

/** The element with the focus, even inside a code view. */
function focusedNow(): HTMLElement | undefined {
  let now = document.activeElement;
  while (now?.shadowRoot?.activeElement) now = now.shadowRoot.activeElement;
  return now instanceof HTMLElement && now !== document.body ? now : undefined;
}

export function Diff({ path, head, hunks: given, escaped, isSplit: isWanted, choice, picks, at }: DiffProps) {
  const isSplit = isWanted && !isNarrow.value;
  const host = useRef<HTMLDivElement>(null);
  const [mounted, setMounted] = useState<Mounted | undefined>(undefined);
  const [isFinding, setFinding] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  /** The element that had the focus before the find bar. */
  const before = useRef<HTMLElement | undefined>(undefined);
  const { hunks, head: said } = apart(head, given);
  const now = useRef(choice);
  now.current = choice;
  const picking = useRef(picks);
  picking.current = picks;
  const hasPicks = picks !== undefined;
  const hasChoice = choice !== undefined && given.length > 0;
  // In the same frame as its surroundings, which would otherwise paint without it.
  useLayoutEffect(() => {
    if (!host.current || hunks.length === 0) return;
    // The current choice, not the one at mount time.
    const through: Choice | undefined = hasChoice
      ? { count: hunks.length, isOut: (at) => now.current?.isOut(at) ?? false, toggle: (at) => now.current?.toggle(at) }
      : undefined;
    const picked: Picks | undefined = hasPicks
      ? {
          isSaid: (side, line) => picking.current?.isSaid(side, line) ?? false,
          isPicked: (side, line) => picking.current?.isPicked(side, line) ?? false,
          pick: (side, line, isMore) => picking.current?.pick(side, line, isMore),
        }
      : undefined;
    const made = mount(host.current, { path, hunks, escaped, choice: through, picks: picked, isSplit });
    setMounted(made);
    return () => {
      setMounted(undefined);
      made.end();
    };
  }, [path, head, given, escaped, isSplit, hasChoice, hasPicks]);
  // Redraw after a change of what is left out, picked or said.
  useEffect(() => {
    mounted?.redraw();
  }, [choice, picks, mounted]);
  useEffect(() => {
    if (at) mounted?.goTo(at.side, at.line);
  }, [at, mounted]);
  const open = (): void => {
    // In a single column, another part may be visible instead of the diff.
    if (host.current?.checkVisibility() !== true) return;
    setFinding(true);
    if (document.activeElement !== field.current) before.current = focusedNow();
    field.current?.select();
  };
  const close = (): void => {
    setFinding(false);
    if (before.current?.isConnected) before.current.focus();
    else mounted?.focus();
  };
  // Together with the diff, or a key pressed as soon as it is in sight finds nothing.
  useLayoutEffect(() => (mounted ? takeFind(open) : undefined), [mounted]);
  if (hunks.length > 0) {
    return (
      <>
        {notesOf(said).map((note) => (
          <p key={note} class="code-note">
            {note}
          </p>
        ))}
        {isFinding && mounted && <FindBar diff={mounted} field={field} close={close} />}
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
