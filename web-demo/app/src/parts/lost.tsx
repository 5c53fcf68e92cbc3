import { lost } from '../state/kept-script.js';
import { currentName } from '../state/route.js';
import { Icon } from './icon.js';

/** Reports that the script was too large to be stored. A reload restores everything else. */
export const Lost = () =>
  lost.value !== undefined && lost.value === currentName.value ? (
    <p class="banner" role="status">
      <Icon name="warn" />
      <span>The script was too large to keep, so it went with the page. Nothing has left.</span>
    </p>
  ) : null;
