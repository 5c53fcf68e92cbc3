// What there is around the review: the page has all screens, the side panel of the extension a few.

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
  /** Where a person goes on once a review is over. */
  ways(): Way[];
  /** Whether they can pull and push here by themselves. */
  canPush: boolean;
  /** Whether the sandbox's GitHub is github.com itself. */
  isAtGitHub(name: string): boolean;
  /** Whether whoever sends the sandbox's pushes to GitHub has a token, so that none is asked for here. */
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
