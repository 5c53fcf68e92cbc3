// Moves the focus after a person navigated.

import { effect, signal } from '@preact/signals';

import { go, route } from './route.js';

/** The file whose editor takes the focus once it opens. */
export const awaited = signal<string | undefined>(undefined);

// A person who navigated again meanwhile keeps their place.
effect(() => {
  const { screen, rest } = route.value;
  if (screen !== 'files' || rest !== awaited.peek()) awaited.value = undefined;
});

/** The main part of the screen, which all screens share. */
const toMain = (): void => document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });

export function arrive(run: () => void): void {
  toMain();
  run();
}

export function arriveAt(path: string): void {
  arrive(() => go('files', path));
  awaited.value = path;
}
