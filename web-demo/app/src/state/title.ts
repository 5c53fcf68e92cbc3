// The title of the tab: what it shows, and how much waits there.

import { computed, effect } from '@preact/signals';

import { metas } from './meta.js';
import { requests } from './requests.js';
import { currentName } from './route.js';
import { sandbox } from './session.js';
import { waits, waitsIn } from './waits.js';

const count = computed(() => {
  const name = currentName.value;
  if (name !== undefined) return sandbox.value?.name === name ? waits.value : waitsIn(name);
  const names = new Set([...Object.keys(metas.value), ...requests.value.map(({ sandbox }) => sandbox)]);
  return [...names].reduce((all, one) => all + waitsIn(one), 0);
});

effect(() => {
  const name = currentName.value;
  const what = name === undefined ? 'gitgate' : `${name} – gitgate`;
  document.title = count.value > 0 ? `(${count.value}) ${what}` : what;
});
