// The line numbers of a diff: a person picks lines by them, and they show where something is said.

import type { Which } from './sides.js';

export interface Picks {
  isSaid: (side: Which, line: number) => boolean;
  isPicked: (side: Which, line: number) => boolean;
  /** `isMore` extends what was picked before. */
  pick: (side: Which, line: number, isMore: boolean) => void;
}

/** The style of a line's number, as a part of a class name. */
export function numberLook(picks: Picks | undefined, side: Which, line: number | undefined): string {
  if (!picks || line === undefined) return '';
  return `gg-pick${picks.isSaid(side, line) ? ' gg-said' : ''}${picks.isPicked(side, line) ? ' gg-picked' : ''}`;
}
