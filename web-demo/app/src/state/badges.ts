// Shows the number of waiting questions in the tab's title, and on the start screens of all tabs.

import { computed, effect, untracked } from '@preact/signals';

import { visible } from '../parts/stand-in.js';
import { metas, tell } from './meta.js';
import { requests } from './requests.js';
import { currentName } from './route.js';
import { sandbox, waiting } from './session.js';
import { waits, waitsIn } from './waits.js';

const all = computed(() => {
  const name = currentName.value;
  if (name !== undefined) return sandbox.value?.name === name ? waits.value : waitsIn(name);
  const names = new Set([...Object.keys(metas.value), ...requests.value.map(({ sandbox }) => sandbox)]);
  return [...names].reduce((sum, one) => sum + waitsIn(one), 0);
});

effect(() => {
  const name = currentName.value;
  const what = name === undefined ? 'gitgate' : `${visible(name, 'name')} – gitgate`;
  document.title = all.value > 0 ? `(${all.value}) ${what}` : what;
});

// Once published, the number survives the sandbox and a crash of this tab.
effect(() => {
  const count = waiting.value.length;
  const name = sandbox.peek()?.name;
  if (name !== undefined) untracked(() => tell(name, { waiting: count }));
});
