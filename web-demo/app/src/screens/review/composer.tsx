// Where a person writes a comment. The changes stay in sight.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommentPlace } from 'gitgate';

import { Button } from '../../parts/bits.js';
import { Name } from '../../parts/plain.js';
import type { ReviewModel } from './model.js';
import { words } from './place.js';

/** What was typed about each place and not kept, while the page lives. */
const typed = new Map<string, string>();

interface LinesProps {
  place: CommentPlace & { on: 'lines' };
  /** Returns whether a hunk shows these lines. */
  change: (first: number, last: number, side: 'old' | 'new') => boolean;
  onInvalid: (isInvalid: boolean) => void;
}

/** Picks lines by keys alone. */
function Lines({ place: { side, first, last }, change, onInvalid }: LinesProps) {
  const [wanted, setWanted] = useState({ first: String(first), last: String(last) });
  const [isInvalid, setInvalid] = useState(false);
  useEffect(() => {
    setWanted({ first: String(first), last: String(last) });
    setInvalid(false);
  }, [first, last, side]);
  const set = (now: { first: string; last: string }, of: 'old' | 'new'): void => {
    setWanted(now);
    const isShown = change(Number(now.first), Number(now.last), of);
    setInvalid(!isShown);
    onInvalid(!isShown);
  };
  const field = (label: string, name: 'first' | 'last') => (
    <input
      type="number"
      min={1}
      aria-label={label}
      aria-invalid={isInvalid}
      value={wanted[name]}
      onInput={(event) => set({ ...wanted, [name]: event.currentTarget.value }, side)}
    />
  );
  return (
    <span class="composer-lines">
      {field('First line', 'first')}
      <span class="muted">to</span>
      {field('Last line', 'last')}
      <select
        aria-label="Which text the lines are of"
        value={side}
        onChange={(event) => set(wanted, event.currentTarget.value === 'old' ? 'old' : 'new')}
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
  const push = model.asked.value?.push;
  const key = place ? `${push?.target} ${push?.branch} ${words(place)}` : '';
  const [text, setText] = useState('');
  const [isNote, setNote] = useState(false);
  const [isInvalid, setInvalid] = useState(false);
  useEffect(() => {
    // Who picks other lines goes on with what they have typed.
    setText((before) => (key === '' ? '' : before || (typed.get(key) ?? '')));
    setInvalid(false);
    if (key === '') setNote(false);
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
  };
  const isReady = text.trim() !== '' && !isInvalid;
  const send = (): void => {
    if (!isReady) return;
    typed.set(key, text);
    void noted.say(place, isNote ? 'note' : 'must', text).then((isKept) => isKept && typed.delete(key));
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
        <Name text={words(place)} mono />
        {place.on === 'lines' && (
          <Lines
            place={place}
            change={(first, last, side) => model.moveTo(place.path, side, first, last)}
            onInvalid={setInvalid}
          />
        )}
        {isInvalid && (
          <span class="danger-text small" role="alert">
            The changes on the screen do not show these lines.
          </span>
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
        <Button kind="primary" keys="Ctrl+Enter" isDisabled={!isReady} onClick={send}>
          Comment
        </Button>
      </div>
    </form>
  );
}
