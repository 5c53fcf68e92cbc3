// Hand-drawn icons of 16 px, with strokes of 1.5 px in the text colour.

const PATHS = {
  folder: 'M1.75 4.25v8.5h12.5v-7H7.5L6 3.75H1.75z',
  file: 'M3.75 1.75h5.5l3 3v9.5h-8.5zM9 1.75v3.5h3.25',
  link: 'M6.5 9.5l3-3M7.5 4.75 9 3.25a2.65 2.65 0 0 1 3.75 3.75l-1.5 1.5M8.5 11.25 7 12.75A2.65 2.65 0 0 1 3.25 9l1.5-1.5',
  commit: 'M8 5.25a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5zM8 1v4.25M8 10.75V15',
  branch:
    'M4.5 4.5v7M4.5 1.75a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8zM4.5 11.5a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8zM11.5 3a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8zM11.5 5.8c0 3-7 2-7 5.2',
  check: 'M2.75 8.5 6 11.75l7.25-7.5',
  cross: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  warn: 'M8 2 1.5 13.5h13zM8 6.5v3.25M8 11.5v.5',
  terminal: 'M1.75 2.75h12.5v10.5H1.75zM4.25 5.75 6.5 8l-2.25 2.25M8 10.5h3.5',
  play: 'M4.5 2.5v11l8.5-5.5z',
  stop: 'M3.75 3.75h8.5v8.5h-8.5z',
  plus: 'M8 2.5v11M2.5 8h11',
  clock: 'M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5zM8 4.5V8l2.5 1.5',
  gate: 'M2.5 14V5.5L8 2l5.5 3.5V14M5.75 14V8h4.5v6',
  theme: 'M8 1.75a6.25 6.25 0 1 0 0 12.5zM8 1.75a6.25 6.25 0 0 1 0 12.5z',
  keys: 'M1.75 4h12.5v8H1.75zM4 6.5h.5M7 6.5h.5M10 6.5h.5M5 9.5h6',
  down: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  edit: 'M2.5 13.5 3.25 10.5 10.75 3l2.25 2.25-7.5 7.5zM9.25 4.5l2.25 2.25',
  bin: 'M2.5 4.25h11M6 4.25v-2h4v2M4 4.25l.75 9.5h6.5l.75-9.5M6.75 7v4M9.25 7v4',
  agent: 'M2.75 5.75h10.5v7.5H2.75zM8 5.5v-3M5.75 8.75v1M10.25 8.75v1M1 8.5v2M15 8.5v2',
  undo: 'M5.5 2.5 2.5 5.5l3 3M2.5 5.5h7a4 4 0 0 1 0 8H6',
  copy: 'M5.75 5.75h8.5v8.5h-8.5zM10.25 5.75v-4h-8.5v8.5h4',
  tag: 'M1.75 1.75h6l6.5 6.5-6 6-6.5-6.5zM4.75 4.75h.5',
  search: 'M7 2.25a4.75 4.75 0 1 0 0 9.5 4.75 4.75 0 0 0 0-9.5zM10.5 10.5 14 14',
  chevron: 'M6 3.5 10.5 8 6 12.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" />
    </svg>
  );
}
