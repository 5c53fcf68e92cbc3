// Where a person writes a comment. The changes stay in sight.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommentPlace } from 'gitgate';

import { Button } from '../../parts/bits.js';
import { Name } from '../../parts/plain.js';
import type { ReviewModel } from './model.js';
import { words } from './place.js';

/** What was typed about each place and not sent, while the page lives. */
const typed = new Map<string, string>();

interface LinesProps {
  place: CommentPlace & { on: 'lines' };
  change: (first: number, last: number, side: 'old' | 'new') => void;
}

/** Picks lines by keys alone. */
function Lines({ place: { side, first, last }, change }: LinesProps) {
  const field = (label: string, value: number, set: (line: number) => void) => (
    <input
      type="number"
      min={1}
      aria-label={label}
      value={value}
      onChange={(event) => set(Math.max(1, Number(event.currentTarget.value) || 1))}
    />
  );
  return (
    <span class="composer-lines">
      {field('First line', first, (line) => change(line, Math.max(line, last), side))}
      <span class="muted">to</span>
      {field('Last line', last, (line) => change(Math.min(line, first), line, side))}
      <select
        aria-label="Which text the lines are of"
        value={side}
        onChange={(event) => change(first, last, event.currentTarget.value === 'old' ? 'old' : 'new')}
      >
        <option value="new">after</option>
        <option value="old">before</option>
      </select>
    </span>
  );
}

export function Composer({ model }: { model: ReviewModel }) {
  const { noted } = model;
  const place = noted.writing.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const key = place ? words(place) : '';
  const [text, setText] = useState('');
  const [isNote, setNote] = useState(false);
  useEffect(() => {
    setText((before) => before || (typed.get(key) ?? ''));
  }, [key]);
  useEffect(() => {
    if (place) field.current?.focus();
  }, [place === undefined]);
  if (!place) return null;
  const change = (now: string): void => {
    setText(now);
    typed.set(key, now);
  };
  const close = (): void => {
    noted.writing.value = undefined;
    noted.picked.value = undefined;
    setText('');
  };
  const send = (): void => {
    if (text.trim() === '') return;
    typed.delete(key);
    noted.say(place, isNote ? 'note' : 'must', text);
    close();
  };
  return (
    <form
      class="composer"
      aria-label="New comment"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div class="composer-head">
        <span class="muted">Comment on</span>
        <Name text={key} mono />
        {place.on === 'lines' && (
          <Lines place={place} change={(first, last, side) => model.pickLines(side, first, last)} />
        )}
      </div>
      <textarea
        ref={field}
        rows={3}
        aria-label="Comment"
        placeholder="What is to change? The agent reads it when you ask for changes."
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <div class="composer-foot">
        <label class="check">
          <input type="checkbox" checked={!isNote} onChange={(event) => setNote(!event.currentTarget.checked)} />
          Must be answered
        </label>
        <span class="grow" />
        <Button kind="quiet" keys="Esc" onClick={close}>
          Cancel
        </Button>
        <Button kind="primary" keys="Ctrl+Enter" isDisabled={text.trim() === ''} onClick={send}>
          Comment
        </Button>
      </div>
    </form>
  );
}
