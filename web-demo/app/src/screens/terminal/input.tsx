// The line, or lines, that a person types.

import { useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

import { Button } from '../../parts/bits.js';
import { Name } from '../../parts/plain.js';
import { complete } from '../../state/completion.js';
import { entries } from '../../state/repo.js';
import { clear, folder, past, ran, run, running, stop, type, typed } from '../../state/terminal.js';
import { attempt } from '../../state/toast.js';
import { Place } from './ran.js';

/** The most lines in sight. */
const LINES = 8;
/** The most choices in sight. */
const MOST = 40;

/** The keys that go through the past. What was typed is kept at its end. */
function usePast(): (step: -1 | 1, field: HTMLTextAreaElement) => void {
  const at = useRef<number | undefined>(undefined);
  const of = useRef(past.value);
  const draft = useRef('');
  return (step, field) => {
    const all = past.value;
    // Something has been run since.
    if (of.current !== all) at.current = undefined;
    of.current = all;
    const from = at.current ?? all.length;
    const to = Math.min(all.length, Math.max(0, from + step));
    if (to === from) return;
    if (from === all.length) draft.current = field.value;
    at.current = to;
    field.value = all[to] ?? draft.current;
    field.setSelectionRange(field.value.length, field.value.length);
    type(field.value);
  };
}

const hasModifier = (event: KeyboardEvent): boolean =>
  event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.isComposing;

interface InputProps {
  field: RefObject<HTMLTextAreaElement | null>;
  acts: RefObject<HTMLDivElement | null>;
}

export function Input({ field, acts }: InputProps) {
  const [choices, setChoices] = useState<string[]>([]);
  /** After Escape, Tab is the browser's. */
  const isLeaving = useRef(false);
  const walk = usePast();
  const start = (): void => {
    setChoices([]);
    attempt(() => run(typed.peek()));
  };
  /** Whether there was something to complete. */
  const fill = (input: HTMLTextAreaElement): boolean => {
    const { selectionStart: at, selectionEnd, value } = input;
    if (at !== selectionEnd) return false;
    const found = complete(value.slice(0, at), folder.value, entries.value ?? []);
    if (!found) return false;
    const isSame = value.slice(at - found.length, at) === found.text;
    // The choices are known already.
    if (isSame && choices.join('\n') === found.choices.join('\n')) return false;
    input.setRangeText(found.text, at - found.length, at, 'end');
    type(input.value);
    setChoices(found.choices);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void => {
    const { currentTarget: input, key } = event;
    const { value, selectionStart, selectionEnd } = input;
    const isFree = isLeaving.current;
    isLeaving.current = key === 'Escape';
    if (hasModifier(event)) return;
    if (key === 'Enter') start();
    else if (key === 'ArrowUp' && !value.slice(0, selectionStart).includes('\n')) walk(-1, input);
    else if (key === 'ArrowDown' && !value.slice(selectionEnd).includes('\n')) walk(1, input);
    else if (key !== 'Tab' || isFree || !fill(input)) return;
    event.preventDefault();
  };
  const isRunning = running.value !== undefined;
  return (
    <div class="terminal-input">
      <p class="terminal-choices small" role="status">
        {choices.slice(0, MOST).map((one) => (
          <Name key={one} text={one} mono />
        ))}
        {choices.length > MOST && <span class="muted">and {choices.length - MOST} more</span>}
      </p>
      <div class="terminal-line">
        <Place folder={folder.value} />
        <textarea
          ref={field}
          aria-label="Command"
          rows={Math.min(LINES, typed.value.split('\n').length)}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          enterkeyhint="go"
          value={typed.value}
          onInput={(event) => {
            setChoices([]);
            type(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        <div ref={acts} class="terminal-acts" role="group" aria-label="Run, stop or clear" tabIndex={-1}>
          {isRunning ? (
            <Button icon="stop" onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button kind="primary" icon="play" isDisabled={typed.value.trim() === ''} onClick={start}>
              Run
            </Button>
          )}
          <Button
            kind="quiet"
            icon="bin"
            label="Clear"
            title="Clear (Ctrl+L)"
            isDisabled={ran.value.length === 0}
            onClick={clear}
          />
        </div>
      </div>
    </div>
  );
}
