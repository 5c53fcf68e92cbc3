import { useEffect, useRef } from 'preact/hooks';

import { Plain } from '../../parts/plain.js';
import { steps } from '../../state/agent.js';
import { toasts } from '../../state/toast.js';

/** A longer result may need scrolling, also by keys. */
const LONG = 300;
const WORDS = {
  running: 'runs',
  done: 'done',
  failed: 'failed',
  pending: 'waits',
  refused: 'refused',
  stopped: 'stopped',
};

export function Transcript() {
  const end = useRef<HTMLDivElement>(null);
  const last = steps.value.at(-1);
  const messages = toasts.value.length;
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [steps.value.length, last?.state, messages]);
  return (
    <div class="transcript" tabIndex={0} role="log" aria-label="Calls and results">
      {steps.value.map(({ tool, args, state, said }, at) => (
        <article key={at} class={`step ${state}`}>
          <header>
            <span class="muted small">{at + 1}</span>
            <strong class="mono">
              <Plain text={tool} />
            </strong>
            <span class="grow mono small muted args">
              <Plain text={args} />
            </span>
            <span class={`tag state-${state}`}>{WORDS[state]}</span>
          </header>
          {said && (
            <pre tabIndex={said.length > LONG ? 0 : undefined}>
              <Plain text={said.trimEnd()} clip={false} />
            </pre>
          )}
        </article>
      ))}
      <div ref={end} />
    </div>
  );
}
