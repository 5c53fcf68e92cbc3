// The keys of the review, and one to go back. The app's other keys lead to screens that the panel lacks.

import { canFind, openFind } from '../../../app/src/parts/diff/finder.js';
import { commands, isRepeated, isTyping } from '../../../app/src/state/keys.js';
import { toggleLayout } from '../../../app/src/state/prefs.js';
import { goStart, route } from '../../../app/src/state/route.js';

export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || isRepeated(event)) return;
  const isControl = event.ctrlKey || event.metaKey;
  if (document.querySelector('dialog[open]') || !route.value.name) return;
  const isFind = isControl ? event.key === 'f' : event.key === '/' && !isTyping(event);
  if (isFind && canFind.value) {
    openFind();
    event.preventDefault();
  }
  if (isFind || isControl || isTyping(event)) return;
  const found = commands.value.find(({ group, key }) => group === 'Review' && key === event.key);
  if (found?.run) found.run();
  else if (event.key === 'd') toggleLayout();
  else if (event.key === 'Escape') goStart();
  else return;
  event.preventDefault();
}
