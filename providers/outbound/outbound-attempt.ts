import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { answerExcerpt, MAX_EXCERPT_BYTES } from './answer-excerpt.ts';
import { noAnswer, noConnection, OutboundError, outboundError } from './outbound-error.ts';
import type { OutboundAnswer } from './port.ts';

export interface AttemptLimits {
  connectTimeoutMs: number;
  /** From the start to the status line. */
  attemptTimeoutMs: number;
}

const MAX_READ_BYTES = 16 * 1024;

/** For the body once the status has decided: informational, so it may not occupy a slot for long. */
const BODY_TIMEOUT_MS = 1000;

/** 1xx responses; one or two are normal. */
const MAX_INTERIM_ANSWERS = 10;

/**
 * One request as an undici handler, in three steps: connecting, waiting for the status, reading the beginning of the body. One timer
 * bounds the current step. Settles once, and then aborts whatever is still in progress, with its connection.
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
    // undici cannot cancel a request that waits for its connection.
    if (this.#settled) this.#breakOff();
    else this.#within(this.#remainingMs());
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) {
      this.#interimAnswers++;
      if (this.#interimAnswers > MAX_INTERIM_ANSWERS)
        this.#fail(new OutboundError('protocol', 'interim answers (1xx) without an end'));
      return;
    }
    this.#statusCode = statusCode;
    this.#headers = headers;
    this.#within(Math.min(BODY_TIMEOUT_MS, this.#remainingMs()));
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const room = MAX_EXCERPT_BYTES - this.#receivedBytes;
    // A copy, because the chunk may keep a large buffer alive.
    if (room > 0) this.#beginning.push(Buffer.from(chunk.subarray(0, room)));
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > MAX_READ_BYTES) this.late();
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#statusCode === undefined) this.#fail(outboundError(error, this.#limits.connectTimeoutMs));
    else this.#succeed();
  }

  /** Times out: settles with whatever has arrived. */
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
