import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

/** What to do with a connection each time a whole request has arrived. */
export type Behaviour = (socket: Socket, request: string) => unknown;

/** One step of a script; README.md describes each. Texts are Latin-1: a character is a byte. */
export type Step =
  | { send: string; times?: number }
  | { flood: string; times?: number; before?: string; after?: string; upToBytes?: number }
  | { drip: string; everyMs: number }
  | { waitMs: number }
  | { gzipOfZerosMib: number }
  | { close: 'end' | 'destroy' | 'reset' };

export interface Receiver {
  /** Unique, in kebab case. */
  name: string;
  kind: string;
  /** The end of the sentence: a receiver that … */
  does: string;
  /** Where it was seen, or the rule that it uses or breaks. */
  source?: string;
  /** Steps when a connection opens. */
  greeting?: readonly Step[];
  /** Steps when a whole request has arrived. */
  answer: readonly Step[];
  /** `untrusted`: TLS with a certificate that no one signed. `absent`: the sender is given https, and the receiver has no TLS. */
  tls?: 'untrusted' | 'absent';
  expected: {
    /** `delivered`: the sender takes the event as delivered, and sends it once. `retry`: it does not, and tries again later. */
    outcome: 'delivered' | 'retry';
    /** The status that the sender reports; null for none. */
    status: number | null;
    /** A header whose value the sender should show to its operators. */
    shows?: string;
    /** The event itself must not reach the receiver. */
    seesNothing?: boolean;
  };
}

export const receivers: readonly Receiver[];

export interface ReceiverOptions {
  tls?: TlsOptions;
  /** What to do when a connection opens, before any request. */
  atOnce?: Behaviour;
  host?: string;
  /** 0, the default, picks a free port. */
  port?: number;
}

export class ScriptedReceiver {
  connections: number;
  readonly requests: string[];
  sentBytes: number;
  port: number;
  readonly closed: Promise<void>[];
  static start(behaviour: Behaviour, options?: ReceiverOptions): Promise<ScriptedReceiver>;
  get url(): string;
  stop(): Promise<void>;
}

export function startReceiver(
  receiver: Receiver,
  options?: Pick<ReceiverOptions, 'host' | 'port'>,
): Promise<ScriptedReceiver>;
export function urlOf(receiver: Receiver, port: number): string;
