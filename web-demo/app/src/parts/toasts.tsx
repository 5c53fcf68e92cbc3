import { useLayoutEffect, useState } from 'preact/hooks';

import { dismiss, toasts } from '../state/toast.js';
import type { Toast } from '../state/toast.js';
import { Button } from './bits.js';
import { NextStep } from './next-step.js';
import { Plain } from './plain.js';

/** The time to read a note, in milliseconds. An error stays until somebody deals with it. */
const NOTE = 6000;

function Message({ of, isHeld }: { of: Toast; isHeld: boolean }) {
  const { id, kind, message, hint, next, retry } = of;
  // Immediately: the time may be up before the page paints again.
  useLayoutEffect(() => {
    if (kind === 'error' || isHeld) return;
    const timer = setTimeout(() => dismiss(id), NOTE);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const again = (): void => {
    dismiss(id);
    retry?.();
  };
  return (
    <div class={`toast ${kind}`}>
      <div class="grow">
        <Plain text={message} clip={false} />
        {hint && (
          <>
            {' '}
            <span class="muted">
              <Plain text={hint} clip={false} />
            </span>
          </>
        )}
      </div>
      {next && <NextStep of={next} />}
      {retry && <Button onClick={again}>Try again</Button>}
      <Button kind="quiet" icon="cross" label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}

/** Messages have their own place at the end of the page, so they cover nothing. */
export function Toasts() {
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  return (
    <div
      class="toasts"
      role="log"
      aria-label="Messages"
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocusCapture={() => setFocus(true)}
      onBlurCapture={() => setFocus(false)}
    >
      {toasts.value.map((one) => (
        <Message key={one.id} of={one} isHeld={isPointedAt || hasFocus} />
      ))}
    </div>
  );
}
