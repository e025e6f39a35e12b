import type { Delivery } from './delivery.ts';
import type { Reply } from './forward.ts';
import type { Options } from './options.ts';
import type { Found } from './own-webhook.ts';
import type { Summary, Trial } from './tally.ts';

export interface Beginning {
  baseUrl: string;
  webhook: Found;
  options: Options;
}

/** The output of a run, for people or programs. */
export interface Printer {
  beginning(beginning: Beginning): void;
  arrived(delivery: Delivery): void;
  /** @param reply undefined when nothing is forwarded @param status the status that the service gets */
  answered(delivery: Delivery, reply: Reply | undefined, status: number): void;
  tried(delivery: Delivery, trial: Trial): void;
  note(text: string): void;
  end(summary: Summary): void;
}
