import type { Ending } from '../../queue/lanes.ts';

/** Limit of concurrent attempts at one host, those that hang included. */
const MAX_IN_FLIGHT = 64;
/** How many deliveries wait for their turn at one host. */
const MAX_WAITING = 100;
/** An attempt that lasts longer lets the next one begin. */
const SLOW_AFTER_MS = 1_000;
const MAX_HOSTS = 10_000;

interface Host {
  /** Limit of attempts younger than `SLOW_AFTER_MS`. Doubles with each success and is halved by each failure, down to 1. */
  window: number;
  young: number;
  inFlight: number;
  waiting: (() => void)[];
}

/** A turn at a host. `waited`: what was read before may have changed. */
export interface HostTurn {
  waited: boolean;
  end(ending: Ending): void;
}

/**
 * Bounds what one API key sends to one host, across its webhooks and in this process:
 * 1. A host that has not answered 2xx yet gets one delivery at a time, one a second while it hangs. Each success doubles the limit (slow start).
 * 2. A bounded number of deliveries waits for a turn. The caller postpones all others.
 */
export class HostTurns {
  readonly #hosts = new Map<string, Host>();

  /** @returns undefined when too many deliveries wait already */
  async begin(apiKeyId: string, url: string): Promise<HostTurn | undefined> {
    const host = this.#hostOf(`${apiKeyId} ${URL.parse(url)?.host}`);
    const waited = !hasRoom(host);
    if (waited) {
      if (host.waiting.length >= MAX_WAITING) return undefined;
      // The turn is taken on behalf of the delivery before it continues.
      await new Promise<void>((resolve) => host.waiting.push(resolve));
    } else take(host);
    let isYoung = true;
    const age = () => {
      if (isYoung) host.young--;
      isYoung = false;
      startNext(host);
    };
    const slow = setTimeout(age, SLOW_AFTER_MS);
    return {
      waited,
      end(ending) {
        clearTimeout(slow);
        host.inFlight--;
        if (ending === 'success') host.window = Math.min(host.window * 2, MAX_IN_FLIGHT);
        if (ending === 'failure') host.window = Math.max(Math.floor(host.window / 2), 1);
        age();
      },
    };
  }

  #hostOf(name: string): Host {
    const known = this.#hosts.get(name);
    if (known) return known;
    if (this.#hosts.size >= MAX_HOSTS) {
      const idle = this.#hosts.entries().find(([, { inFlight, waiting }]) => inFlight + waiting.length === 0);
      if (idle) this.#hosts.delete(idle[0]);
    }
    const host = { window: 1, young: 0, inFlight: 0, waiting: [] };
    this.#hosts.set(name, host);
    return host;
  }
}

function hasRoom({ window, young, inFlight }: Host): boolean {
  return young < window && inFlight < MAX_IN_FLIGHT;
}

function take(host: Host): void {
  host.young++;
  host.inFlight++;
}

function startNext(host: Host): void {
  for (let next = host.waiting[0]; next && hasRoom(host); next = host.waiting[0]) {
    host.waiting.shift();
    take(host);
    next();
  }
}
