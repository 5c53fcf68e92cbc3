// Steps from hunk to hunk in the visible diff.

let step: ((by: 1 | -1) => void) | undefined;

export const stepHunk = (by: 1 | -1): void => step?.(by);

/** Registers a diff. The latest one takes the steps, until the caller calls the returned function. */
export function takeSteps(by: (by: 1 | -1) => void): () => void {
  step = by;
  return () => {
    if (step === by) step = undefined;
  };
}
