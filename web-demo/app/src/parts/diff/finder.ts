// Opens the find bar of the visible diff.

import { computed, signal } from '@preact/signals';

const opener = signal<(() => void) | undefined>(undefined);

/** Whether there is a diff to search. */
export const canFind = computed(() => opener.value !== undefined);

export const openFind = (): void => opener.peek()?.();

/** Registers a diff. The latest one counts, until the caller calls the returned function. */
export function takeFind(open: () => void): () => void {
  opener.value = open;
  return () => {
    if (opener.peek() === open) opener.value = undefined;
  };
}
