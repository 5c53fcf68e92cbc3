// Finds text in a diff: counts the matches and steps through them.

import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';

import { Button } from '../bits.js';
import { find } from './find.js';
import type { Wanted } from './find.js';
import type { Mounted } from './mount.js';

interface FindBarProps {
  diff: Mounted;
  field: RefObject<HTMLInputElement | null>;
  close: () => void;
}

export function FindBar({ diff, field, close }: FindBarProps) {
  const [wanted, want] = useState<Wanted>({ text: '', isExact: false });
  const [at, setAt] = useState(0);
  const hits = useMemo(() => find(diff.rows, wanted), [diff, wanted]);
  // Immediately, or a key pressed meanwhile goes elsewhere.
  useLayoutEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => setAt(0), [diff]);
  useLayoutEffect(() => diff.mark(hits, hits[at]), [hits, at]);
  useLayoutEffect(() => () => diff.mark([], undefined), [diff]);
  const setWanted = (to: Wanted): void => {
    want(to);
    setAt(0);
  };
  const step = (by: 1 | -1): void => {
    if (hits.length > 0) setAt((at + by + hits.length) % hits.length);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const said = wanted.text === '' ? '' : hits.length === 0 ? 'No matches' : `${at + 1} of ${hits.length}`;
  return (
    <div class="find-bar" role="search" aria-label="Find in the diff" onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="text"
        aria-label="Find"
        placeholder="Find"
        autocomplete="off"
        spellcheck={false}
        value={wanted.text}
        onInput={(event) => setWanted({ ...wanted, text: event.currentTarget.value })}
      />
      <span class="muted small find-count" role="status">
        {said}
      </span>
      <Button onClick={() => step(-1)} isDisabled={hits.length === 0} title="Shift+Enter">
        Previous
      </Button>
      <Button onClick={() => step(1)} isDisabled={hits.length === 0} title="Enter">
        Next
      </Button>
      <label class="check">
        <input
          type="checkbox"
          checked={wanted.isExact}
          onChange={() => setWanted({ ...wanted, isExact: !wanted.isExact })}
        />
        Match case
      </label>
      <span class="grow" />
      <Button kind="quiet" icon="cross" label="Close" title="Close (Escape)" onClick={close} />
    </div>
  );
}
