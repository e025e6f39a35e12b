import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { codeInBrackets, ProviderUnavailable } from '../../core/errors.ts';
import type { ScannerSettings } from '../../core/settings/scanner-settings.ts';
import { oneLine } from '../../core/text.ts';
import { UnacceptableDocument, type VirusScanner } from './port.ts';

/** For one document: far more than a scan takes, and less than proxies wait for an answer. */
const SCAN_MS = 30_000;
const VERSION_MS = 4_000;
/** Answers name a virus; they are one line. */
const MAX_ANSWER_LENGTH = 1_024;

/** clamd's protocol, as in its manual (clamd(8)): commands and answers end in NUL, INSTREAM takes pieces with their length before each. */
export function createClamd(address: NonNullable<ScannerSettings>, scanMs = SCAN_MS): VirusScanner {
  return {
    async check(content) {
      const answer = await ask(address, inStream(content), scanMs);
      if (answer === 'stream: OK') return;
      const [, virus] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
      if (virus === undefined) throw new ProviderUnavailable(`The virus scanner answered: ${answer}`);
      throw new UnacceptableDocument('infected', `The virus scanner found ${virus}.`);
    },
    async signaturesFrom() {
      // `ClamAV <version>/<number of the signatures>/<their date>`; without signatures, the version alone.
      const [, , date] = (await ask(address, [Buffer.from('zVERSION\0')], VERSION_MS)).split('/');
      const moment = new Date(`${date} UTC`);
      return Number.isNaN(moment.getTime()) ? undefined : moment;
    },
  };
}

async function* inStream(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('zINSTREAM\0');
  for await (const piece of content) {
    // A length of 0 would end the stream.
    if (piece.length === 0) continue;
    yield lengthOf(piece.length);
    yield piece;
  }
  yield lengthOf(0);
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

/** @throws ProviderUnavailable, and the errors of the request */
async function ask(
  address: NonNullable<ScannerSettings>,
  request: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitMs: number,
): Promise<string> {
  const socket = connect({ ...address, signal: AbortSignal.timeout(limitMs) });
  const answer = answerOn(socket);
  // Awaited at the end: it may come, or fail, while the request is still being sent.
  answer.catch(() => {});
  try {
    for await (const bytes of request) {
      if (!socket.writable) break;
      if (!socket.write(bytes)) await Promise.race([once(socket, 'drain').catch(() => {}), answer]);
    }
    return await answer;
  } finally {
    socket.destroy();
  }
}

function answerOn(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    const end = received.indexOf('\0');
    if (end >= 0 || received.length > MAX_ANSWER_LENGTH) {
      resolve(oneLine(received.slice(0, end >= 0 ? end : MAX_ANSWER_LENGTH)));
      socket.destroy();
    }
  });
  const fail = (error?: Error) =>
    reject(new ProviderUnavailable(`The virus scanner does not answer${codeInBrackets(error)}.`));
  socket.once('error', fail).once('close', () => fail());
  return promise;
}
