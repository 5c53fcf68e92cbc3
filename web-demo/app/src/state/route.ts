import { computed, signal } from '@preact/signals';

const SCREENS = [
  'files',
  'terminal',
  'search',
  'changes',
  'commits',
  'blame',
  'history',
  'audit',
  'agent',
  'review',
  'connect',
] as const;
export type Screen = (typeof SCREENS)[number];

interface Route {
  /** None on the start screen, and on the page that connects an agent to no particular sandbox. */
  name: string | undefined;
  screen: Screen;
  /** A path, a commit or the id under review. */
  rest: string;
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    // Somebody typed it: it names nothing.
    return part;
  }
};

function parse(hash: string): Route {
  const [, place = '', name, screen, ...rest] = hash.split('/').map(decode);
  if (place === 'connect') return { name: undefined, screen: 'connect', rest: '' };
  if (place !== 's' || !name) return { name: undefined, screen: 'files', rest: '' };
  return { name, screen: SCREENS.find((one) => one === screen) ?? 'files', rest: rest.join('/') };
}

export const route = signal(parse(location.hash));
addEventListener('hashchange', () => (route.value = parse(location.hash)));

export const currentName = computed(() => route.value.name);

export function link(name: string, screen: Screen = 'files', rest = ''): string {
  const parts = ['s', name, screen, ...(rest ? rest.split('/') : [])];
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function go(screen: Screen, rest = ''): void {
  const { name } = route.value;
  if (name !== undefined) location.hash = link(name, screen, rest);
}

/** From a sandbox: how to connect an agent to it. */
export function goConnect(): void {
  const { name } = route.value;
  location.hash = name === undefined ? '#/connect' : link(name, 'connect');
}

export const goStart = (): void => void (location.hash = '#/');
