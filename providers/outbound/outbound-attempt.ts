import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { answerExcerpt, EXCERPT_BYTES } from './answer-excerpt.ts';
import { noAnswer, noConnection, OutboundError, outboundError } from './outbound-error.ts';
import type { OutboundAnswer } from './port.ts';

export interface AttemptLimits {
  connectTimeoutMs: number;
  /** The whole of it, until the status of the answer. */
  attemptTimeoutMs: number;
}

const READ_LIMIT_BYTES = 16 * 1024;

/**
 * How long a body may take once the status is there. The status decides and the body is for people to read, so that it may
 * hold a place for a moment, but not for as long as it likes.
 */
const BODY_TIMEOUT_MS = 1000;

/** Of answers before the answer (1xx); nobody needs more than one or two. */
const MOST_INTERIM_ANSWERS = 10;

/**
 * One request as undici tells of it, one step after another: connecting, waiting for the status, reading the beginning of the
 * body. One timer counts the step. It settles once; what is then still under way is broken off, with its connection.
 */
export class OutboundAttempt implements Dispatcher.DispatchHandler {
  readonly #limits: AttemptLimits;
  readonly #resolve: (answer: OutboundAnswer) => void;
  readonly #reject: (error: OutboundError) => void;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #interimAnswers = 0;
  #statusCode: number | undefined;
  #headers: IncomingHttpHeaders = {};
  #beginning: Buffer[] = [];
  #receivedBytes = 0;

  constructor(
    limits: AttemptLimits,
    resolve: (answer: OutboundAnswer) => void,
    reject: (error: OutboundError) => void,
  ) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(onLate, limits.connectTimeoutMs, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // undici cannot take back a request that waits for its connection.
    if (this.#settled) this.#breakOff();
    else this.#within(this.#remainingMs());
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) {
      this.#interimAnswers++;
      if (this.#interimAnswers > MOST_INTERIM_ANSWERS)
        this.#fail(new OutboundError('protocol', 'interim answers (1xx) without an end'));
      return;
    }
    this.#statusCode = statusCode;
    this.#headers = headers;
    this.#within(Math.min(BODY_TIMEOUT_MS, this.#remainingMs()));
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const room = EXCERPT_BYTES - this.#receivedBytes;
    // A copy: the chunk may be a corner of something large.
    if (room > 0) this.#beginning.push(Buffer.from(chunk.subarray(0, room)));
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > READ_LIMIT_BYTES) this.late();
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#statusCode === undefined) this.#fail(outboundError(error, this.#limits.connectTimeoutMs));
    else this.#succeed();
  }

  /** No more is waited for or read: what there is by now is the outcome. */
  late(): void {
    if (this.#statusCode !== undefined) this.#succeed();
    else if (this.#controller) this.#fail(noAnswer(this.#limits.attemptTimeoutMs));
    else this.#fail(noConnection(this.#limits.connectTimeoutMs));
    this.#breakOff();
  }

  #succeed(): void {
    if (!this.#settle() || this.#statusCode === undefined) return;
    this.#resolve({
      statusCode: this.#statusCode,
      retryAfter: headerOf(this.#headers['retry-after']),
      excerpt: answerExcerpt(Buffer.concat(this.#beginning), headerOf(this.#headers['content-encoding'])),
    });
  }

  #fail(error: OutboundError): void {
    if (!this.#settle()) return;
    this.#reject(error);
    this.#breakOff();
  }

  #settle(): boolean {
    clearTimeout(this.#timer);
    const first = !this.#settled;
    this.#settled = true;
    return first;
  }

  #breakOff(): void {
    this.#controller?.abort(new Error('broken off'));
  }

  #within(limitMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#settled) this.#timer = setTimeout(onLate, limitMs, this);
  }

  #remainingMs(): number {
    return Math.max(1, this.#limits.attemptTimeoutMs - (performance.now() - this.#startedAt));
  }
}

function onLate(attempt: OutboundAttempt): void {
  attempt.late();
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
