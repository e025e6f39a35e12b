import type { Delivery } from './delivery.ts';
import type { Reply } from './forward.ts';
import { type Right, TRICKS, type Trick, trickNames } from './tricks.ts';

/** A receiver's answer to a trick, and whether it was right. */
export interface Trial {
  trick: Trick;
  /** What was done, in a few words. */
  done: string;
  right: Right;
  reply: Reply;
  /** Why the answer was wrong; undefined when it held. */
  fault: string | undefined;
}

export interface Row {
  trick: Trick | 'genuine';
  right: Right;
  sent: number;
  held: number;
}

export interface Summary {
  deliveries: number;
  verified: number;
  /** The results of the receiver; empty without one. */
  rows: Row[];
  /** Nothing was verified or answered wrongly. */
  holds: boolean;
}

export function judge(trick: Trick, done: string, reply: Reply): Trial {
  const { right } = TRICKS[trick];
  return { trick, done, right, reply, fault: faultOf(right, reply) };
}

function faultOf(right: Right, { status, fault }: Reply): string | undefined {
  if (status === undefined) return `your receiver gave no answer (${fault})`;
  const kind = `${Math.floor(status / 100)}xx`;
  if (kind === right) return undefined;
  if (right === '2xx') return 'your receiver refused a genuine delivery';
  return kind === '2xx' ? 'your receiver accepted a forged delivery' : 'your receiver did not refuse it with 4xx';
}

/** Counts the tricks that held. A retried delivery counts by its last attempt. */
export class Tally {
  private readonly accepted = new Map<string, boolean>();
  private unverified = 0;
  private readonly trials: Trial[] = [];

  arrived({ id, fault }: Delivery, reply: Reply | undefined): void {
    if (fault === undefined) this.accepted.set(id, !reply || faultOf('2xx', reply) === undefined);
    else this.unverified++;
  }

  tried(trial: Trial): void {
    this.trials.push(trial);
  }

  /**
   * @param tricks those to be played
   */
  summary(isForwarding: boolean, tricks: readonly Trick[]): Summary {
    const answers = [...this.accepted.values()];
    const genuine: Row = { trick: 'genuine', right: '2xx', sent: answers.length, held: answers.filter(Boolean).length };
    const played = trickNames.filter((name) => tricks.includes(name)).map((name) => this.row(name));
    const rows = isForwarding ? [genuine, ...played] : [];
    return {
      deliveries: answers.length + this.unverified,
      verified: answers.length,
      rows,
      holds: this.unverified === 0 && rows.every(({ sent, held }) => sent === held),
    };
  }

  private row(trick: Trick): Row {
    const trials = this.trials.filter((trial) => trial.trick === trick);
    const held = trials.filter(({ fault }) => fault === undefined).length;
    return { trick, right: TRICKS[trick].right, sent: trials.length, held };
  }
}
