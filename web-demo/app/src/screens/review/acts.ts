import type { Layout } from '../../parts/layout-switch.js';
import type { ReviewModel } from './model.js';

/** The actions on a push. */
export interface Acts {
  approve(): void;
  reject(): void;
  /** Sends the open comments to the agent. */
  askChanges(): void;
  /** Answers a comment. */
  reply(comment: string): void;
  revise(): void;
  message(): void;
  later(): void;
  /** Provides the missing token. */
  token(): void;
}

export interface ReviewProps {
  model: ReviewModel;
  acts: Acts;
  /** Sends the push to another branch. Only for the person's own pushes. */
  changeDestination?: (() => void) | undefined;
  /** The running action. Meanwhile, the review accepts no answer. */
  busy: string | undefined;
  /** Whether GitHub requires a token for the push, and there is none. */
  needsToken: boolean;
  layout: Layout;
  onLayout: (layout: Layout) => void;
}
