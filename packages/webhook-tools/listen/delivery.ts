import { Webhook } from 'standardwebhooks';

/** One request to a receiver: its headers, with their names in lower case, and the exact bytes of its body. */
export interface Message {
  headers: Record<string, string>;
  body: Buffer;
}

export interface Delivery extends Message {
  /** The `webhook-id`; `-` when there is none. */
  id: string;
  event: string;
  at: Date;
  /** How often a delivery of this id has arrived, this arrival included. */
  times: number;
  /** Why the delivery does not verify, in the words of the public library; undefined when it verifies. */
  fault: string | undefined;
}

/** Looks at deliveries as an integrator would, and counts the arrivals of each. */
export class Reader {
  private readonly webhook: Webhook;
  private readonly seen = new Map<string, number>();

  constructor(secret: string) {
    this.webhook = new Webhook(secret);
  }

  read(message: Message): Delivery {
    const id = message.headers['webhook-id'] ?? '-';
    const fault = this.faultOf(message);
    const times = (this.seen.get(id) ?? 0) + 1;
    if (fault === undefined) this.seen.set(id, times);
    return { ...message, id, event: eventOf(message.body), at: new Date(), times, fault };
  }

  private faultOf({ body, headers }: Message): string | undefined {
    try {
      this.webhook.verify(body, headers, { jsonParse: false });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function eventOf(body: Buffer): string {
  try {
    const { event } = JSON.parse(body.toString());
    if (/^\w{1,40}$/.test(event)) return event;
  } catch {}
  return 'no event';
}
