import type { Layout } from '../../parts/layout-switch.js';
import type { ReviewModel } from './model.js';

/** What a person can say to a push. */
export interface Acts {
  approve(): void;
  reject(): void;
  revise(): void;
  message(): void;
  later(): void;
}

export interface ReviewProps {
  model: ReviewModel;
  acts: Acts;
  /** What goes on, while no answer is taken. */
  busy: string | undefined;
  layout: Layout;
  onLayout: (layout: Layout) => void;
}
