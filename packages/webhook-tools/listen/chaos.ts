import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery } from './delivery.ts';
import type { Forward, Reply } from './forward.ts';
import { type Random, seededRandom, shuffled } from './random.ts';
import { judge, type Trial } from './tally.ts';
import { type Copy, copiesOf, type Trick } from './tricks.ts';
import { Turnstile } from './turnstile.ts';

/** The service waits 15 s for an answer: what comes before a delivery must leave time for it. */
const MAX_EARLIER_COPIES = 2;
const MAX_HOLD_MS = 4_000;
const MAX_DELAY_MS = 2_000;

export interface Staging {
  tricks: readonly Trick[];
  seed: number;
  secret: string;
  forward: Forward;
  onTrial(delivery: Delivery, trial: Trial): void;
}

/** How the moment of a delivery was chosen. */
interface Timing {
  trick: Trick;
  done: string;
}

/** Disturbs a receiver around each genuine delivery. With the same seed, the first delivery gets the same variations in every run, the second as well, and so on. */
export class Chaos {
  private readonly staging: Staging;
  private readonly turnstile = new Turnstile(MAX_HOLD_MS);
  private aftermath = Promise.resolve();
  private disturbed = 0;

  constructor(staging: Staging) {
    this.staging = staging;
  }

  /** @param onReply gets the answer to the delivery itself, long before all tricks are sent */
  async disturb(delivery: Delivery, onReply: (reply: Reply) => void): Promise<void> {
    const turn = this.disturbed++;
    const random = seededRandom(this.staging.seed + turn);
    const copies = this.copies(delivery, random);
    const alone = copies.filter(({ together }) => !together);
    const before = alone.slice(0, Math.floor(random() * (MAX_EARLIER_COPIES + 1)));
    const release = this.turnstile.overtake();
    const timing = this.isLate(turn) ? await delay(random) : release ? undefined : await this.holdBack();
    await this.sendEach(delivery, before);
    const together = copies.filter((copy) => copy.together).map((copy) => this.send(delivery, copy));
    const reply = await this.staging.forward(delivery);
    onReply(reply);
    release?.();
    if (timing && !reply.isAway) this.staging.onTrial(delivery, judge(timing.trick, timing.done, reply));
    await Promise.all(together);
    if (!reply.isAway) await this.afterwards(() => this.sendEach(delivery, alone.slice(before.length)));
  }

  private copies(delivery: Delivery, random: Random): Copy[] {
    const { tricks, secret } = this.staging;
    return shuffled(
      random,
      tricks.flatMap((trick) => copiesOf(trick, delivery, secret, random)),
    );
  }

  /** One delivery after the other, so that the output stays readable. */
  private afterwards(send: () => Promise<void>): Promise<void> {
    this.aftermath = this.aftermath.then(send);
    return this.aftermath;
  }

  private async sendEach(delivery: Delivery, copies: readonly Copy[]): Promise<void> {
    for (const copy of copies) await this.send(delivery, copy);
  }

  /** An absent receiver gets nothing. */
  private async send(delivery: Delivery, copy: Copy): Promise<void> {
    const reply = await this.staging.forward(copy, copy.pace);
    if (!reply.isAway) this.staging.onTrial(delivery, judge(copy.trick, copy.done, reply));
  }

  /** With both tricks, two in three deliveries change places and the third is late. */
  private isLate(turn: number): boolean {
    return this.plays('delay') && (!this.plays('reorder') || turn % 3 === 2);
  }

  private async holdBack(): Promise<Timing | undefined> {
    const isOvertaken = this.plays('reorder') && (await this.turnstile.wait());
    return isOvertaken ? { trick: 'reorder', done: 'held back until another was through' } : undefined;
  }

  private plays(trick: Trick): boolean {
    return this.staging.tricks.includes(trick);
  }
}

async function delay(random: Random): Promise<Timing> {
  const ms = Math.round(MAX_DELAY_MS * (0.25 + 0.75 * random()));
  await wait(ms);
  return { trick: 'delay', done: `held back for ${(ms / 1000).toFixed(1)} s` };
}
