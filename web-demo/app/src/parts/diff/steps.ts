// Goes from hunk to hunk in the diff that is on the screen.

let step: ((by: 1 | -1) => void) | undefined;

export const stepHunk = (by: 1 | -1): void => step?.(by);

/** The latest diff that is shown takes the steps, until the function that this gives is called. */
export function takeSteps(by: (by: 1 | -1) => void): () => void {
  step = by;
  return () => {
    if (step === by) step = undefined;
  };
}
