// Opens the find bar of the diff that is on the screen.

import { computed, signal } from '@preact/signals';

const opener = signal<(() => void) | undefined>(undefined);

/** Whether there is a diff to find in. */
export const canFind = computed(() => opener.value !== undefined);

export const openFind = (): void => opener.peek()?.();

/** The latest diff that is shown is the one, until the function that this gives is called. */
export function takeFind(open: () => void): () => void {
  opener.value = open;
  return () => {
    if (opener.peek() === open) opener.value = undefined;
  };
}
