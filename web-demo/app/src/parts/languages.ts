// Languages are loaded when a file needs one.

import type { Extension } from '@codemirror/state';

const BY_ENDING: { [ending: string]: () => Promise<Extension> } = {
  js: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  ts: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  json: async () => (await import('@codemirror/lang-json')).json(),
  md: async () => (await import('@codemirror/lang-markdown')).markdown(),
  rs: async () => (await import('@codemirror/lang-rust')).rust(),
  py: async () => (await import('@codemirror/lang-python')).python(),
  css: async () => (await import('@codemirror/lang-css')).css(),
  html: async () => (await import('@codemirror/lang-html')).html(),
};

const SAME: { [ending: string]: string } = { mjs: 'js', cjs: 'js', jsx: 'js', tsx: 'ts', mts: 'ts', htm: 'html' };

export async function language(path: string): Promise<Extension | undefined> {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return BY_ENDING[SAME[ending] ?? ending]?.();
}
