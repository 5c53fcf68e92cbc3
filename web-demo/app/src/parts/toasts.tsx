import { dismiss, toasts } from '../state/toast.js';
import { Button } from './bits.js';
import { Plain } from './plain.js';

export function Toasts() {
  return (
    <div class="toasts" role="log" aria-label="Messages">
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
