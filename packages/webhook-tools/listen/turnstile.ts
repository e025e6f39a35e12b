/** Releases the waiting caller. */
export type Release = () => void;

/** Lets two deliveries change places: the first to arrive waits until the second is through. */
export class Turnstile {
  private readonly patienceMs: number;
  private waiting: (() => Release) | undefined;

  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  /** Overtakes the waiting caller, who then waits until released; undefined when no one waits. */
  overtake(): Release | undefined {
    const claim = this.waiting;
    this.waiting = undefined;
    return claim?.();
  }

  /** @returns whether another caller overtook */
  wait(): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        this.waiting = undefined;
        resolve(false);
      }, this.patienceMs);
      this.waiting = () => {
        clearTimeout(giveUp);
        return () => resolve(true);
      };
    });
  }
}
