// A person's own push to a branch that they choose first.

import { computed } from '@preact/signals';

import { choosing, slug } from './destination.js';
import { text } from './json.js';
import { metas } from './meta.js';
import { branch, staged } from './repo.js';
import { sandbox } from './session.js';

const repo = computed(() => metas.value[sandbox.value?.name ?? '']?.repo);

export const canChoose = computed(() => repo.value !== undefined && staged.value.length > 0);

export function choosePush(): void {
  const name = sandbox.value?.name ?? '';
  if (!canChoose.value) return;
  const [subject = ''] = text(staged.value.at(-1)?.message).split('\n');
  const fresh = slug(subject) || slug(name) || 'changes';
  choosing.value = { target: `github:${repo.value}`, branch: branch.value, fresh, isAsked: false };
}
