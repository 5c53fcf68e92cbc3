import type { ComponentChildren } from 'preact';

import { Icon } from './icon.js';
import type { IconName } from './icon.js';
import { NextStep } from './next-step.js';
import { Plain } from './plain.js';
import type { Problem } from '../state/toast.js';

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  kind?: 'primary' | 'danger' | 'quiet' | 'on' | undefined;
  onClick: () => void;
  isDisabled?: boolean;
  /** For toggle buttons. */
  isOn?: boolean;
  title?: string | undefined;
  keys?: string;
  label?: string;
}

export function Button({ children, icon, kind, onClick, isDisabled, isOn, title, keys, label }: ButtonProps) {
  return (
    <button
      type="button"
      class={`button ${kind ?? ''}`}
      onClick={isDisabled ? undefined : onClick}
      aria-disabled={isDisabled ? 'true' : undefined}
      aria-pressed={isOn}
      title={title}
      aria-label={label}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
      {keys && <kbd aria-hidden="true">{keys}</kbd>}
    </button>
  );
}

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children && <div class="muted">{children}</div>}
    </div>
  );
}

export function Trouble({ message, hint, next, retry }: Problem & { retry?: () => void }) {
  return (
    <div class="trouble" role="alert">
      <Icon name="warn" />
      <div>
        <strong>
          <Plain text={message} clip={false} />
        </strong>
        {hint && (
          <p class="muted">
            <Plain text={hint} clip={false} />
          </p>
        )}
      </div>
      {next && <NextStep of={next} />}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

export const Busy = ({ what, stop }: { what: string; stop?: () => void }) => (
  <div class="busy" role="status">
    <span class="bar" />
    <span>{what}…</span>
    {stop && (
      <Button kind="quiet" onClick={stop}>
        Cancel
      </Button>
    )}
  </div>
);

export const Counts = ({ added, deleted }: { added: number; deleted: number }) => (
  <span class="counts mono">
    <span class="plus">+{added}</span> <span class="minus">−{deleted}</span>
  </span>
);

const WORDS: { [status: string]: string } = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type changed',
  '?': 'new',
};

export const Status = ({ of }: { of: string }) => (
  <span class={`status status-${of === '?' ? 'A' : of}`} title={WORDS[of] ?? of}>
    {of}
  </span>
);

export const size = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** For today, the time is enough. */
export function day(when: number | string): string {
  const date = new Date(when);
  const time = date.toLocaleTimeString('en-GB', { timeStyle: 'short' });
  if (date.toDateString() === new Date().toDateString()) return `today ${time}`;
  return `${date.toLocaleDateString('en-GB', { dateStyle: 'medium' })} ${time}`;
}
