// A button that copies a text and briefly confirms it.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { attempt } from '../state/toast.js';
import { Icon } from './icon.js';

const MOMENT = 2000;

interface CopyProps {
  text: string;
  /** Its accessible name. */
  label?: string;
  children?: ComponentChildren;
}

/** Copies a text, and remembers it for a moment. */
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
