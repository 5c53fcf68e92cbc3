// Runs commands in the sandbox, as the person.

import { useEffect, useRef } from 'preact/hooks';

import { Button, Empty } from '../../parts/bits.js';
import { entries } from '../../state/repo.js';
import { clear, dropped, lookWhere, ran, running, stop, type } from '../../state/terminal.js';
import { toasts } from '../../state/toast.js';
import { Input } from './input.js';
import { Ran } from './ran.js';

const EXAMPLES = ['ls -la', "find . -name '*.md' | xargs wc -l", 'git log --oneline | head'];

function Start({ take }: { take: (command: string) => void }) {
  return (
    <Empty icon="terminal" title="A shell inside the sandbox">
      <p>
        bash, with the usual commands and git. It has no network and starts no processes, so nothing leaves. What a
        command changes can be undone in History.
      </p>
      <div class="examples">
        {EXAMPLES.map((command) => (
          <Button key={command} onClick={() => take(command)}>
            <code>{command}</code>
          </Button>
        ))}
      </div>
    </Empty>
  );
}

const Dropped = ({ count }: { count: number }) =>
  count > 0 ? (
    <p class="muted small ran">
      {count === 1 ? 'An earlier command is' : `${count} earlier commands are`} not kept any more, to save room.
    </p>
  ) : null;

const isSelected = (field: HTMLTextAreaElement | null): boolean =>
  !(document.getSelection()?.isCollapsed ?? true) || (field !== null && field.selectionStart !== field.selectionEnd);

export function Terminal() {
  const field = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const acts = useRef<HTMLDivElement>(null);
  const focus = (): void => field.current?.focus();
  useEffect(focus, []);
  const files = entries.value;
  useEffect(() => void (files && lookWhere()), [files]);
  const last = ran.value.at(-1);
  const messages = toasts.value.length;
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [ran.value.length, last?.state, messages]);
  const take = (command: string): void => {
    type(command);
    focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isStop = event.key === 'Escape' || (event.ctrlKey && event.key === 'c' && !isSelected(field.current));
    if (isStop && running.value) stop();
    // From here on the keys of the page work, and Tab goes on.
    else if (event.key === 'Escape' && document.activeElement === field.current) acts.current?.focus();
    else if (event.ctrlKey && event.key === 'l') clear();
    else return;
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent): void => {
    const isOwn = target instanceof Element && target.closest('a, button') !== null;
    if (!isOwn && !isSelected(null)) focus();
  };
  return (
    <section class="terminal" aria-label="Terminal" onKeyDown={onKeyDown}>
      <div class="terminal-past" tabIndex={0} role="log" aria-label="Commands and output" onClick={onClick}>
        <Dropped count={dropped.value} />
        {ran.value.map((one, at) => (
          <Ran key={dropped.value + at} one={one} />
        ))}
        {ran.value.length === 0 && <Start take={take} />}
        <div ref={end} />
      </div>
      <Input field={field} acts={acts} />
    </section>
  );
}
