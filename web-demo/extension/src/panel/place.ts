// What the panel has around the review: its list, and the audit log. Pushes are the agents' to make.

import { place } from '../../../app/src/state/place.js';
import { go, goStart } from '../../../app/src/state/route.js';
import { GITHUB } from '../common/github.js';
import { account } from './link.js';

export function takePlace(): void {
  place.value = {
    ways: () => [
      { label: 'Back to the list', go: goStart },
      { label: 'View audit log', go: () => go('audit') },
    ],
    canPush: false,
    // The address of the API is one for all sandboxes.
    isAtGitHub: () => account.value?.base === GITHUB,
    // The list has the sign-in, which is one for all sandboxes as well.
    hasToken: () => true,
  };
}
