import { explain } from './explain.ts';

const QUIET_MS = 10_000;
const LOOK_MS = 1_000;

export interface Triggering {
  /** Triggers events. */
  verify: () => Promise<void>;
  /** Whether more events are expected; if so, triggers again whenever none has arrived for a while. */
  isAwaited: boolean;
  lastArrival: () => number;
  onFault: (text: string) => void;
  /** No event arrived after the last trigger. */
  onNothing: () => void;
}

/** Triggers events now, and again on Enter. @throws when the first time fails */
export async function keepTriggering({
  verify,
  isAwaited,
  lastArrival,
  onFault,
  onNothing,
}: Triggering): Promise<void> {
  await verify();
  let lastTime = Date.now();
  const again = () => {
    lastTime = Date.now();
    verify().catch((error) => onFault(explain(error).message));
  };
  if (process.stdin.isTTY) process.stdin.on('data', again);
  if (!isAwaited) return;
  setInterval(() => {
    if (Date.now() - Math.max(lastTime, lastArrival()) < QUIET_MS) return;
    if (lastArrival() < lastTime) onNothing();
    again();
  }, LOOK_MS);
}
