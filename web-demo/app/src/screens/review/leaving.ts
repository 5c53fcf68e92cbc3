import type { PushQuestion, Risk } from 'gitgate';

/** The flag of a push that moves a protected branch. */
export const PROTECTED = 'protected-branch';

/** The risks of a push. A bundle is pushed nowhere, so it pushes to no protected branch directly. */
export function leaving(asked: PushQuestion | undefined, isBundle: boolean): Risk[] {
  const flags = asked?.push?.review.flags ?? [];
  return (asked?.risks ?? []).filter((_, at) => !(isBundle && flags[at]?.flag === PROTECTED));
}
