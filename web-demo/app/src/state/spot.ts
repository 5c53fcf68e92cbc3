// The line of a file that a person wants to see, until the editor has scrolled to it.

import { signal } from '@preact/signals';

interface Spot {
  path: string;
  /** Counted from 1. */
  line: number;
}

export const spot = signal<Spot | undefined>(undefined);
