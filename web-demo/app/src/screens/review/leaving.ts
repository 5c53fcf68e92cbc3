import type { PushQuestion, Risk } from 'gitgate';

/** The flag of a push that moves a protected branch. */
export const PROTECTED = 'protected-branch';

/** The risks of what leaves. A bundle is pushed nowhere, so that with it no branch is pushed to directly. */
export function leaving(asked: PushQuestion | undefined, isBundle: boolean): Risk[] {
  const flags = asked?.push?.review.flags ?? [];
  return (asked?.risks ?? []).filter((_, at) => !(isBundle && flags[at]?.flag === PROTECTED));
}
