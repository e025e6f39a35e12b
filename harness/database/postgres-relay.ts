import { connect } from 'node:net';
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';

/** The relay's start parameters. */
export interface RelayData {
  /** The database's address, with user and password. */
  url: string;
  /** Where it writes answers. */
  port: MessagePort;
  /** Its first number counts the answers. */
  answered: Int32Array;
}

/**
 * A thread that talks to Postgres for another thread that can only block: it forwards each message unchanged and returns the whole
 * answer in one piece. It logs in first; the first answer is what the server sends after that.
 */
function relay({ url, port, answered }: RelayData): void {
  const { hostname, port: serverPort, username, password, pathname } = new URL(url);
  const socket = connect(Number(serverPort), hostname);
  let received = Buffer.alloc(0);
  const answer = () => {
    port.postMessage(new Uint8Array(received));
    received = Buffer.alloc(0);
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
  socket.once('connect', () => socket.write(startup(username, pathname.slice(1))));
  socket.on('data', (piece) => {
    received = Buffer.concat([received, piece]);
    const types = messageTypes(received);
    if (types === 'R' && received.readInt32BE(5) === 3) {
      received = Buffer.alloc(0);
      socket.write(message('p', Buffer.from(`${password}\0`)));
    } else if (types.endsWith('Z')) answer();
  });
  parentPort?.on('message', (bytes: Uint8Array) => socket.write(bytes));
  parentPort?.once('close', () => socket.destroy());
}

function startup(user: string, database: string): Buffer {
  const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${database}\0\0`, 'latin1');
  return Buffer.concat([lengthOf(body), body]);
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), lengthOf(body), body]);
}

function lengthOf(body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return length;
}

/** The types of the messages received so far; a question mark for an incomplete one. */
function messageTypes(bytes: Buffer): string {
  let types = '';
  let at = 0;
  while (at + 5 <= bytes.length) {
    types += String.fromCharCode(bytes[at] ?? 0);
    at += 1 + bytes.readInt32BE(at + 1);
  }
  return at === bytes.length ? types : `${types}?`;
}

if (!isMainThread) relay(workerData);
