import { type ClientRequest, type Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerExcerpt, headerHint, MAX_EXCERPT_BYTES } from './answer-excerpt.ts';
import { noAnswer, noConnection, OutboundError, outboundError } from './outbound-error.ts';
import type { OutboundAnswer } from './port.ts';
import { StatusLine } from './status-line.ts';

export interface AttemptLimits {
  connectTimeoutMs: number;
  /** From the start to the status line. */
  attemptTimeoutMs: number;
}

interface Post {
  agent: HttpAgent;
  host: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

const MAX_READ_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** For the body once the status has decided: informational, so it may not occupy a slot for long. */
const BODY_TIMEOUT_MS = 1000;

/** 1xx responses; one or two are normal. */
const MAX_INTERIM_ANSWERS = 10;

/**
 * One POST in three steps: connecting, waiting for the status, reading the beginning of the body. One timer bounds the current step.
 * Settles once, and then destroys the request if it is still in progress, with its connection.
 *
 * The status line alone decides the outcome: the endpoint has acted on the event by then, so a retry would repeat it. When Node's parser
 * rejects the rest of the head, the status line comes from the bytes that the connection received (`StatusLine`).
 */
export class PostAttempt {
  readonly #limits: AttemptLimits;
  readonly #closing: AbortSignal;
  readonly #resolve: (answer: OutboundAnswer) => void;
  readonly #reject: (error: OutboundError) => void;
  readonly #startedAt = performance.now();
  readonly #statusLine = new StatusLine();
  #timer: NodeJS.Timeout;
  #request: ClientRequest | undefined;
  #socket: Duplex | undefined;
  #response: IncomingMessage | undefined;
  #settled = false;
  #interimAnswers = 0;
  #beginning: Buffer[] = [];
  #receivedBytes = 0;

  /** @param closing its reason rejects the attempt */
  constructor(
    limits: AttemptLimits,
    closing: AbortSignal,
    resolve: (answer: OutboundAnswer) => void,
    reject: (error: OutboundError) => void,
  ) {
    this.#limits = limits;
    this.#closing = closing;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(onLate, limits.connectTimeoutMs, this);
  }

  send({ agent, host, url, headers, body }: Post): void {
    const sent = request({
      agent,
      host,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      protocol: url.protocol,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        host: url.host,
        connection: 'keep-alive',
        ...headers,
        'accept-encoding': 'identity',
        'content-length': Buffer.byteLength(body),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    this.#request = sent;
    sent.on('socket', (socket) => this.#onConnected(socket));
    sent.on('information', () => this.#onInterimAnswer());
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      this.#fail(new OutboundError('protocol', 'the answer is not one to a POST'));
    });
    sent.on('response', (response) => this.#onResponse(response));
    sent.on('error', (error) => this.#onError(error));
    sent.end(body);
  }

  /** Times out: settles with whatever has arrived. */
  late(): void {
    if (this.#statusCode() !== undefined) this.#succeed();
    else
      this.#fail(this.#socket ? noAnswer(this.#limits.attemptTimeoutMs) : noConnection(this.#limits.connectTimeoutMs));
  }

  readonly #onBytes = (chunk: Buffer): void => this.#statusLine.add(chunk);

  #onConnected(socket: Duplex): void {
    this.#socket = socket;
    // Before the parser's listener, which may end the connection.
    socket.prependListener('data', this.#onBytes);
    this.#within(this.#remainingMs());
  }

  #onInterimAnswer(): void {
    this.#interimAnswers++;
    if (this.#interimAnswers > MAX_INTERIM_ANSWERS)
      this.#fail(new OutboundError('protocol', 'interim answers (1xx) without an end'));
  }

  #onResponse(response: IncomingMessage): void {
    this.#response = response;
    this.#socket?.off('data', this.#onBytes);
    this.#within(Math.min(BODY_TIMEOUT_MS, this.#remainingMs()));
    response.on('data', (chunk: Buffer) => this.#onBody(chunk));
    response.on('end', () => this.#succeed());
    response.on('error', () => this.#succeed());
  }

  #onBody(chunk: Buffer): void {
    const room = MAX_EXCERPT_BYTES - this.#receivedBytes;
    // A copy, because the chunk may keep a large buffer alive.
    if (room > 0) this.#beginning.push(Buffer.from(chunk.subarray(0, room)));
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > MAX_READ_BYTES) this.#succeed();
  }

  #onError(error: Error): void {
    if (this.#closing.aborted) this.#fail(this.#closing.reason);
    else if (this.#statusCode() !== undefined) this.#succeed();
    else this.#fail(outboundError(error));
  }

  #statusCode(): number | undefined {
    return this.#response?.statusCode ?? this.#statusLine.code;
  }

  #succeed(): void {
    const statusCode = this.#statusCode();
    if (!this.#settle() || statusCode === undefined) return;
    const headers = this.#response?.headers ?? {};
    this.#resolve({
      statusCode,
      retryAfter: headers['retry-after'],
      hint: headerHint(statusCode, headers),
      excerpt: answerExcerpt(Buffer.concat(this.#beginning), headers['content-encoding']),
    });
    if (!this.#response?.complete) this.#request?.destroy();
  }

  #fail(error: OutboundError): void {
    if (!this.#settle()) return;
    this.#reject(error);
    this.#request?.destroy();
  }

  #settle(): boolean {
    clearTimeout(this.#timer);
    this.#socket?.off('data', this.#onBytes);
    const first = !this.#settled;
    this.#settled = true;
    return first;
  }

  #within(limitMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#settled) this.#timer = setTimeout(onLate, limitMs, this);
  }

  #remainingMs(): number {
    return Math.max(1, this.#limits.attemptTimeoutMs - (performance.now() - this.#startedAt));
  }
}

function onLate(attempt: PostAttempt): void {
  attempt.late();
}
