// The keys of the review, and one to go back. The app's other keys lead to screens that are not
// here.

import { commands, isTyping } from '../../../app/src/state/keys.js';
import { toggleLayout } from '../../../app/src/state/prefs.js';
import { goStart, route } from '../../../app/src/state/route.js';

export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (isTyping(event) || document.querySelector('dialog[open]') || !route.value.name) return;
  const found = commands.value.find(({ group, key }) => group === 'Review' && key === event.key);
  if (found?.run) found.run();
  else if (event.key === 'd') toggleLayout();
  else if (event.key === 'Escape') goStart();
  else return;
  event.preventDefault();
}
