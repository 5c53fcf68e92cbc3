// Shows a placeholder while data loads, and the error if that fails.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { problem } from '../state/toast.js';
import type { Problem } from '../state/toast.js';
import { Busy, Trouble } from './bits.js';

/** The placeholder. */
export const Failed = ({ wrong, retry }: { wrong: Problem; retry: () => void }) => (
  <div class="pad">
    <Trouble {...wrong} retry={retry} />
  </div>
);

/** Loads again whenever one of `by` changes. Only the latest answer counts. */
export function useLoaded<T>(load: () => Promise<T>, by: unknown[]) {
  const [state, setState] = useState<{ value?: T; wrong?: Problem }>({});
  const [again, setAgain] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setState({ value }),
      (error: unknown) => isCurrent && setState({ wrong: problem(error) }),
    );
    return () => void (isCurrent = false);
  }, [...by, again]);
  return { ...state, retry: () => setAgain(again + 1) };
}

interface LoadedProps<T> {
  load: () => Promise<T>;
  by: unknown[];
  what: string;
  children: (value: T) => ComponentChildren;
}

export function Loaded<T>({ load, by, what, children }: LoadedProps<T>) {
  const { value, wrong, retry } = useLoaded(load, by);
  if (wrong) return <Failed wrong={wrong} retry={retry} />;
  return <>{value === undefined ? <Busy what={what} /> : children(value)}</>;
}
