import { Button } from '../../parts/bits.js';
import { place } from '../../state/place.js';

/** Where a person goes on once a review is over. */
export const Ways = () => (
  <div class="buttons">
    {place.value.ways().map((way) => (
      <Button key={way.label} onClick={way.go}>
        {way.label}
      </Button>
    ))}
  </div>
);
