// The number of questions that wait for a person, by sandbox, whichever tab asks them.

import { computed } from '@preact/signals';

import { asked } from './live.js';
import { metas } from './meta.js';
import { elsewhere, here, isOwn, requests } from './requests.js';
import type { Request } from './requests.js';
import { others, sandbox } from './session.js';

const askedIn = (name: string): Request[] =>
  requests.value.filter(({ sandbox, isAsked }) => isAsked && sandbox === name);

/** The waiting questions of the open sandbox, including the visible one. */
export const waits = computed(() => {
  const live = new Set(asked.value.flatMap(({ held }) => held?.request.key ?? []));
  const kept = askedIn(sandbox.value?.name ?? '').filter(({ key }) => !live.has(key));
  return others.value.length + asked.value.length + kept.length;
});

/** The waiting questions of a sandbox that is not open here. */
export const waitsIn = (name: string): number => (metas.value[name]?.waiting ?? 0) + askedIn(name).length;

interface Other extends Request {
  /** Whether another tab asks it now. */
  isElsewhere: boolean;
}

/** Whether this tab is about to repeat an earlier request. */
export const isComing = computed(() =>
  requests.value.some(
    ({ key, sandbox: name }) =>
      name === sandbox.value?.name && isOwn(key) && !here.value.has(key) && !elsewhere.value.has(key),
  ),
);

/** The requests of other pages in the open sandbox, including vanished pages. */
export const fromOthers = computed((): Other[] =>
  askedIn(sandbox.value?.name ?? '')
    .map((one) => ({ ...one, isElsewhere: elsewhere.value.has(one.key) }))
    .filter(({ key, isElsewhere }) => isElsewhere || !(here.value.has(key) || isOwn(key))),
);
