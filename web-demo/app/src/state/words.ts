// Rephrases for the page what the host and the tools say to agents and to users of a command line.

import type { Screen } from './route.js';

/** A next step for a person: go to a screen, copy a command, or change a field of the form. */
export type Next = { label: string } & ({ screen: Screen | 'start' } | { copy: string } | { field: string });

interface Said {
  message: string;
  hint: string;
}

const TO_BRANCH: Next = { label: 'Change the branch', field: 'Branch' };
const WHOLE = 'git bundle create project.bundle --all';

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

/** Whether a push failed because the sandbox has no origin to push to. */
export const isWithoutTarget = (message: string): boolean => message.startsWith('target is required');

/** `api` is the base URL of GitHub's API, if it is not GitHub's own. */
export function words({ message, hint }: Said, api?: string): Said & { next?: Next } {
  const [, branch] = /^couldn't find remote ref (.+)$/s.exec(message) ?? [];
  if (branch !== undefined) {
    return {
      message: `the repository has no branch '${branch}'`,
      hint: 'change the branch, or leave it empty for the default one',
      next: TO_BRANCH,
    };
  }
  if (/^the bundle has no branch '/.test(message)) return { message, hint, next: TO_BRANCH };
  if (message.endsWith("the repository's HEAD is detached")) {
    const said = 'the repository does not say which branch to begin with';
    return { message: said, hint: 'name the branch', next: TO_BRANCH };
  }
  if (isWithoutTarget(message)) {
    return {
      message: 'this sandbox has no place to push to',
      hint: 'its commits can leave as a bundle',
      next: { label: 'Show the commits', screen: 'commits' },
    };
  }
  if (message.startsWith('the base of GitHub ')) {
    return {
      message: message.replace('the base of GitHub', 'the API address'),
      hint: 'give one such as https://api.github.com or https://HOST/api/v3',
    };
  }
  if (message.startsWith('GitHub does not answer') && api) {
    return { message: `${hostOf(api)} does not answer`, hint: 'check the API address and your network' };
  }
  if (/^there is no sandbox '.*' here$/s.test(message)) {
    return { message, hint: 'it may have been deleted', next: { label: 'All sandboxes', screen: 'start' } };
  }
  if (message === 'the bundle needs commits that it does not hold') {
    const next = { label: 'Copy the command', copy: WHOLE };
    return { message: 'the bundle has only a part of the history', hint: 'make one with all of it', next };
  }
  if (/unmerged files|unresolved conflict/.test(message)) {
    return { message, hint, next: { label: 'Show the changes', screen: 'changes' } };
  }
  return { message, hint };
}
