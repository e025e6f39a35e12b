import { Chaos } from './chaos.ts';
import { type Delivery, type Message, Reader } from './delivery.ts';
import { type Forward, forwarder, type Reply } from './forward.ts';
import type { Options } from './options.ts';
import type { Printer } from './printer.ts';
import { type Summary, Tally } from './tally.ts';

/** Statuses for the service: without forwarding, without a receiver, and after this run. */
const NO_CONTENT = 204;
const BAD_GATEWAY = 502;
const UNAVAILABLE = 503;

/** One run: takes each delivery, has it answered, and counts. */
export class Session {
  /** Resolves when as many deliveries as asked for are through. */
  readonly complete: Promise<void>;
  lastArrival = Date.now();
  private readonly options: Options;
  private readonly printer: Printer;
  private readonly reader: Reader;
  private readonly forward: Forward | undefined;
  private readonly chaos: Chaos | undefined;
  private readonly tally = new Tally();
  private readonly admitted = new Set<string>();
  private readonly through = new Set<string>();
  private completed: () => void = () => {};

  constructor(options: Options, secret: string, printer: Printer) {
    const { forwardTo, chaos: tricks, seed } = options;
    const forward = forwardTo === undefined ? undefined : forwarder(forwardTo);
    this.options = options;
    this.printer = printer;
    this.reader = new Reader(secret);
    this.forward = forward;
    this.chaos =
      forward && tricks
        ? new Chaos({
            ...{ tricks, seed, secret, forward },
            onTrial: (delivery, trial) => {
              this.tally.tried(trial);
              printer.tried(delivery, trial);
            },
          })
        : undefined;
    this.complete = new Promise((resolve) => {
      this.completed = resolve;
    });
  }

  async take(message: Message, respond: (status: number) => void): Promise<void> {
    const delivery = this.reader.read(message);
    if (!this.admits(delivery)) return respond(UNAVAILABLE);
    this.lastArrival = Date.now();
    this.printer.arrived(delivery);
    let isAway = false;
    await this.pass(delivery, (reply) => {
      const status = reply ? (reply.status ?? BAD_GATEWAY) : NO_CONTENT;
      isAway = reply?.isAway ?? false;
      respond(status);
      this.tally.arrived(delivery, reply);
      this.printer.answered(delivery, reply, status);
    });
    if (delivery.fault === undefined && !isAway) this.through.add(delivery.id);
    if (this.through.size === this.options.for) this.completed();
  }

  get deliveriesThrough(): number {
    return this.through.size;
  }

  summary(): Summary {
    return this.tally.summary(this.forward !== undefined, this.options.chaos ?? []);
  }

  /** Once enough are in progress, further deliveries get 503, so that the service retries them in the next run. */
  private admits({ id, fault }: Delivery): boolean {
    if (fault !== undefined || this.admitted.has(id)) return true;
    if (this.admitted.size >= (this.options.for ?? Number.POSITIVE_INFINITY)) return false;
    this.admitted.add(id);
    return true;
  }

  /** Passes unverifiable requests on unchanged, without tricks. */
  private async pass(delivery: Delivery, onReply: (reply: Reply | undefined) => void): Promise<void> {
    if (!this.forward) return onReply(undefined);
    if (this.chaos && delivery.fault === undefined) return this.chaos.disturb(delivery, onReply);
    onReply(await this.forward(delivery));
  }
}
