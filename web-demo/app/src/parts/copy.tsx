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

/** Copies a text, and knows for a moment that it has. */
export function useCopy(text: string): { isDone: boolean; copy: () => void } {
  const [done, setDone] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(() => setDone(undefined), MOMENT);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(text);
  };
  return { isDone: done === text, copy: () => attempt(copy) };
}

export function Copy({ text, label, children }: CopyProps) {
  const { isDone, copy } = useCopy(text);
  return (
    <span class="copy">
      <button type="button" class="button quiet" aria-label={label} title={label ?? 'Copy'} onClick={copy}>
        <Icon name={isDone ? 'check' : 'copy'} />
        {children && <span>{children}</span>}
      </button>
      <span class="copied small" role="status">
        {isDone && 'Copied'}
      </span>
    </span>
  );
}
