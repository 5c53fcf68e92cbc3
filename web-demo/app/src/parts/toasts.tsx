import { useEffect, useRef } from 'preact/hooks';

import { dismiss, toasts } from '../state/toast.js';
import { Button } from './bits.js';
import { Plain } from './plain.js';

/** Tells the styles how much of the page's end the messages cover. */
function tell(place: HTMLElement): void {
  const covered = place.childElementCount > 0 ? innerHeight - place.getBoundingClientRect().top : 0;
  document.documentElement.style.setProperty('--covered', `${covered}px`);
}

export function Toasts() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const observer = new ResizeObserver(() => tell(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} class="toasts" role="log" aria-label="Messages">
      {toasts.value.map(({ id, kind, message, hint, retry }) => (
        <div key={id} class={`toast ${kind}`}>
          <div class="grow">
            <Plain text={message} clip={false} />
            {hint && <div class="muted">{<Plain text={hint} clip={false} />}</div>}
          </div>
          {retry && (
            <Button
              onClick={() => {
                dismiss(id);
                retry();
              }}
            >
              Try again
            </Button>
          )}
          <Button kind="quiet" icon="cross" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
