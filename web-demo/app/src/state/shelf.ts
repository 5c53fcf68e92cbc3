// Values of sandboxes, stored for the tab under one key.

import { session } from './kept.js';

interface Shelf<T> {
  read(): { [name: string]: T };
  put(all: { [name: string]: T }): void;
}

export const shelf = <T>(key: string): Shelf<T> => ({
  /** This page wrote the value itself. */
  read() {
    try {
      return JSON.parse(session.getItem(key) ?? '{}') as { [name: string]: T };
    } catch {
      return {};
    }
  },
  /** The most recently stored ones stay longest. */
  put(all) {
    for (const names = Object.keys(all); ; delete all[names.shift() ?? '']) {
      try {
        return session.setItem(key, JSON.stringify(all));
      } catch (error) {
        if (names.length <= 1) throw error;
      }
    }
  },
});
