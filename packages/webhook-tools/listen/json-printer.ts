import type { Delivery } from './delivery.ts';
import type { Reply } from './forward.ts';
import type { Options } from './options.ts';
import type { Beginning, Printer } from './printer.ts';
import type { Summary, Trial } from './tally.ts';

/** One JSON object a line, each with its `type`, with the names of the operator's commands. Moments are ISO 8601, durations milliseconds. */
export class JsonPrinter implements Printer {
  private readonly withBody: boolean;

  constructor({ printBody = false }: Pick<Options, 'printBody'>) {
    this.withBody = printBody;
  }

  beginning({ baseUrl, webhook, options }: Beginning): void {
    const { id, url, secret, isNew } = webhook;
    const chaos = options.chaos ? { chaos: options.chaos, seed: options.seed } : {};
    print('listening', {
      base_url: baseUrl,
      webhook_id: id,
      url,
      secret,
      is_new: isNew,
      forward_to: options.forwardTo,
      ...chaos,
    });
  }

  arrived(): void {}

  answered({ id, event, at, times, fault, body }: Delivery, reply: Reply | undefined, status: number): void {
    const what = { delivery_id: id, event, time: at.toISOString(), times, verified: fault === undefined, fault };
    const shown = this.withBody ? { body: body.toString() } : {};
    print('delivery', { ...what, ...(reply ? answerOf(reply) : {}), status_to_service: status, ...shown });
  }

  tried({ id }: Delivery, { trick, done, right, reply, fault }: Trial): void {
    print('trick', { delivery_id: id, trick, done, right, held: fault === undefined, fault, ...answerOf(reply) });
  }

  note(text: string): void {
    print('note', { text });
  }

  end(summary: Summary): void {
    print('summary', { ...summary });
  }
}

function answerOf({ status, fault, durationMs }: Reply) {
  return { status, no_answer: fault, duration_ms: durationMs };
}

function print(type: string, fields: Record<string, unknown>): void {
  console.log(JSON.stringify({ type, ...fields }));
}
