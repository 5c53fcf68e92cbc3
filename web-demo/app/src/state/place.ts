// The surroundings of the review: the page has all screens, the extension's side panel only a few.

import { signal } from '@preact/signals';

import { metas } from './meta.js';
import { go } from './route.js';
import { isRemote } from './session.js';
import { token } from './token.js';

interface Way {
  label: string;
  go: () => void;
}

export interface Place {
  /** Where a person can go after a review. */
  ways(): Way[];
  /** Whether they can pull and push here themselves. */
  canPush: boolean;
  /** Whether the sandbox's GitHub is github.com. */
  isAtGitHub(name: string): boolean;
  /** Whether the sender of the sandbox's pushes has a GitHub token, so that the page need not ask for one. */
  hasToken(name: string): boolean;
}

export const place = signal<Place>({
  ways: () => [
    ...(isRemote.value ? [] : [{ label: 'Back to the agent', go: () => go('agent') }]),
    { label: 'View commits', go: () => go('commits') },
  ],
  canPush: true,
  isAtGitHub: (name) => !metas.value[name]?.base,
  // A server has its own.
  hasToken: (name) => isRemote.value || token(name) !== undefined,
});
