import type { Layout } from '../../parts/layout-switch.js';
import type { ReviewModel } from './model.js';

/** What a person can say to a push. */
export interface Acts {
  approve(): void;
  reject(): void;
  revise(): void;
  message(): void;
  later(): void;
  /** Gives the token that is missing. */
  token(): void;
}

export interface ReviewProps {
  model: ReviewModel;
  acts: Acts;
  /** Sends the push elsewhere. Only a person's own can be. */
  changeDestination?: (() => void) | undefined;
  /** What goes on, while no answer is taken. */
  busy: string | undefined;
  /** Whether GitHub takes the push only with a token, and there is none. */
  needsToken: boolean;
  layout: Layout;
  onLayout: (layout: Layout) => void;
}
