// A button that copies a text, and says for a moment that it has.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { attempt } from '../state/toast.js';
import { Icon } from './icon.js';

const MOMENT = 2000;

interface CopyProps {
  text: string;
  /** What it is called, for whoever does not see what is in it. */
  label?: string;
  children?: ComponentChildren;
}

export function Copy({ text, label, children }: CopyProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), MOMENT);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
  };
  return (
    <span class="copy">
      <button
        type="button"
        class="button quiet"
        aria-label={label}
        title={label ?? 'Copy'}
        onClick={() => attempt(copy)}
      >
        <Icon name={isDone ? 'check' : 'copy'} />
        {children && <span>{children}</span>}
      </button>
      <span class="copied small" role="status">
        {isDone && 'Copied'}
      </span>
    </span>
  );
}
