// Where the focus goes when a person has chosen where to go.

import { effect, signal } from '@preact/signals';

import { go, route } from './route.js';

/** The file whose editor takes the focus once it is open. */
export const awaited = signal<string | undefined>(undefined);

// Whoever has gone elsewhere meanwhile is not fetched back.
effect(() => {
  const { screen, rest } = route.value;
  if (screen !== 'files' || rest !== awaited.peek()) awaited.value = undefined;
});

/** The main part of the screen, which stays from screen to screen. */
const toMain = (): void => document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });

export function arrive(run: () => void): void {
  toMain();
  run();
}

export function arriveAt(path: string): void {
  arrive(() => go('files', path));
  awaited.value = path;
}
