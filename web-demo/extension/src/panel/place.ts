// The surroundings of the review in the panel: its list, and the audit log. Only agents push here.

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
    // All sandboxes use one API address.
    isAtGitHub: () => account.value?.base === GITHUB,
    // The list also has the sign-in, which is one for all sandboxes.
    hasToken: () => true,
  };
}
