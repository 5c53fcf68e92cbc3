import { Button } from '../../parts/bits.js';
import { openWaiting } from '../../state/keys.js';
import { asked, ended } from '../../state/live.js';
import { place } from '../../state/place.js';
import { others } from '../../state/session.js';

/** Where a person can go after a review. Going there closes its outcome. */
export function Ways() {
  const count = asked.value.length + others.value.length;
  return (
    <div class="buttons">
      {ended.value && count > 0 && (
        <Button kind="primary" icon="gate" keys="g w" onClick={openWaiting}>
          Review the next{count > 1 && ` of ${count}`}
        </Button>
      )}
      {place.value.ways().map((way) => (
        <Button
          key={way.label}
          onClick={() => {
            ended.value = undefined;
            way.go();
          }}
        >
          {way.label}
        </Button>
      ))}
    </div>
  );
}
