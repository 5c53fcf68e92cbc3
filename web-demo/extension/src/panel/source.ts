// What a person writes for a repository.

import { GITHUB } from '../common/github.js';

export type Source = { kind: 'none' | 'wrong' } | { kind: 'github'; repo: string } | { kind: 'git'; url: URL };

/** `base` is the address of GitHub's API, which may be a company's own. */
export function sourceOf(written: string, base: string): Source {
  const text = written.trim();
  if (text === '') return { kind: 'none' };
  const isAddress = /^https?:\/\//i.test(text) && URL.canParse(text);
  const url = isAddress ? new URL(text) : undefined;
  const path = (url ? url.pathname.slice(1) : text).replace(/\/+$/, '');
  const isGitHub = !url || url.host === 'github.com' || (base !== GITHUB && url.host === new URL(base).host);
  if (isGitHub) {
    const repo = path.replace(/\.git$/, '');
    return /^[\w.-]+\/[\w.-]+$/.test(repo) ? { kind: 'github', repo } : { kind: 'wrong' };
  }
  if (path === '' || url.username || url.password || url.search || url.hash) return { kind: 'wrong' };
  return { kind: 'git', url };
}

/** Its address as the sandbox spells it. */
export const addressOf = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, '');

/** The last part of its name. */
export function titleOf(source: Source): string | undefined {
  if (source.kind === 'github') return source.repo.split('/')[1];
  if (source.kind === 'git') return addressOf(source.url).split('/').at(-1)?.replace(/\.git$/, '');
  return undefined;
}
