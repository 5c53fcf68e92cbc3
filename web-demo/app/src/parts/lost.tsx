import { lost } from '../state/live.js';
import { currentName } from '../state/route.js';
import { Icon } from './icon.js';

/** Tells that a question has ended with the page that asked it. */
export const Lost = () =>
  lost.value !== undefined && lost.value === currentName.value ? (
    <p class="banner" role="status">
      <Icon name="warn" />
      <span>The page was loaded again, so its question ended. Nothing has left. Start the push or bundle again.</span>
    </p>
  ) : null;
