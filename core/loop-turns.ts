import { uncorrelated } from './correlation.ts';
import type { End } from './fair-turns.ts';

/**
 * Ends turns at the event loop: the first `most` immediately, the others once it has gone round. A hundred requests that never wait for
 * anything else would otherwise all be served before the next one is read.
 */
export function paced(most: number): (end: End) => void {
  let ends = 0;
  let later: End[] = [];
  const goOn = () => {
    ends = 0;
    const waiting = later;
    later = [];
    for (const end of waiting) end();
  };
  return (end) => {
    if (++ends === 1) uncorrelated(() => setImmediate(goOn));
    if (ends <= most) end();
    else later.push(end);
  };
}
