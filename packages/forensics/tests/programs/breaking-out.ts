import * as fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Tries every known escape and reports which ones work. */
writeFrame({ is: 'ready' });
const { secret, cache } = Object(readRequest()?.header);
const require = createRequire(import.meta.url);
const HERE = 'http://127.0.0.1:1/';
const HOSTILE_FILE = join(tmpdir(), 'hostile-file-of-a-test');
const NETWORK = 'net tls http https http2 dgram dns dns/promises inspector tty';
const CODE = 'vm v8 wasi repl sqlite test sea cluster trace_events diagnostics_channel';

function of(owner: unknown, name: PropertyKey): unknown {
  return Reflect.get(Object(owner), name);
}

function call(owner: unknown, name: PropertyKey, ...given: unknown[]): unknown {
  const method = of(owner, name);
  return typeof method === 'function' ? Reflect.apply(method, owner, given) : closed();
}

function make(type: unknown, ...given: unknown[]): unknown {
  return typeof type === 'function' ? Reflect.construct(type, given) : closed();
}

function closed(): never {
  throw new Error('It is closed.');
}

/** Creates a socket of the same class as a stream of this process. */
function socketLike(stream: 'stdin' | 'stdout' | 'stderr'): unknown {
  const socket = make(of(of(process, stream), 'constructor'));
  return typeof of(socket, 'connect') === 'function' ? socket : closed();
}

/** Obtains the class that a program's input would have: sockets that can connect to any listener in the file system. */
function pipeOfProgram(): unknown {
  const options: { file: string; stdio: unknown } = { file: 'true', stdio: ['pipe'] };
  try {
    call(make(of(require('node:child_process'), 'ChildProcess')), 'spawn', options);
  } catch {
    // The attempt is refused only after the pipe has been created.
  }
  return make(of(of(of(options.stdio, 0), 'handle'), 'constructor'), 0);
}

/** Resolves a module while a shared global is replaced. */
function disguised(owner: object, name: PropertyKey, as: () => unknown): unknown {
  const before = of(owner, name);
  Reflect.set(owner, name, as);
  try {
    return process.getBuiltinModule('net') ?? closed();
  } finally {
    Reflect.set(owner, name, before);
  }
}

/** Obtains the dispatcher that opens connections for fetch, under whichever symbol its library stores it. */
function dispatcher(): unknown {
  const kept = Object.getOwnPropertySymbols(globalThis).map((symbol) => of(globalThis, symbol));
  return kept.find((value) => typeof of(value, 'dispatch') === 'function') ?? closed();
}

/** The received event is an instance of a class of the library behind fetch. */
function message(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const ended = new Promise((resolve) => {
    port2.addEventListener('message', resolve);
    // Also when the library fails.
    port2.addEventListener('close', resolve);
  });
  port2.start();
  port1.postMessage('');
  port1.close();
  return ended;
}

/** Node sends the pieces of a transferred stream as messages. */
async function transferredStream(): Promise<void> {
  const stream = new Blob(['piece']).stream();
  const transferred = structuredClone(stream, { transfer: [stream] });
  transferred.getReader().read();
  // In the sandbox the piece never arrives.
  await new Promise((resolve) => setTimeout(resolve, 100));
}

/** An internal object that Node passes to a replaced `Object.defineProperty` while a message arrives. */
async function definedMeanwhile(message: () => Promise<unknown>): Promise<unknown> {
  const before = Object.defineProperty;
  let seen: unknown;
  const watch = (...given: Parameters<typeof before>) => {
    if (typeof of(given[2].value, 'dispatch') === 'function') seen = given[2].value;
    return Reflect.apply(before, Object, given);
  };
  Reflect.set(Object, 'defineProperty', watch);
  await message();
  Reflect.set(Object, 'defineProperty', before);
  return seen ?? closed();
}

const functions = {
  'an arrow': () => undefined,
  'a method': { method() {} }.method,
  'a class': class {},
  'a bound function': (() => undefined).bind(undefined),
  'a function of V8': Array.from,
  'an accessor': Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get,
  'a proxy': new Proxy(() => undefined, {}),
  'an asynchronous function': async () => undefined,
  'a generator': function* () {},
  'an asynchronous generator': async function* () {},
};

const ways: Record<string, () => unknown> = {
  ...Object.fromEntries(
    `${NETWORK} ${CODE}`.split(' ').flatMap((name) => [
      [`import of ${name}`, () => import(`node:${name}`)],
      [`require of ${name}`, () => require(`node:${name}`)],
      [`load of ${name}`, () => call(Module, '_load', name)],
      [`load of node:${name}`, () => call(Module, '_load', `node:${name}`)],
      [`getBuiltinModule of ${name}`, () => process.getBuiltinModule(name) ?? closed()],
    ]),
  ),
  'code from an address': () => import(`${HERE}code.js`),
  'code from a text': () => import(`data:text/javascript,${'1'}`),
  'the library behind fetch, seen while it is loaded': () => definedMeanwhile(message),
  'the library behind fetch, seen while a stream loads it': () => definedMeanwhile(transferredStream),
  'the library behind fetch, by a message': () => message().then(dispatcher),
  'the library behind fetch, by a stream': () => transferredStream().then(dispatcher),
  fetch: () => of(globalThis, 'fetch') ?? closed(),
  WebSocket: () => of(globalThis, 'WebSocket') ?? closed(),
  EventSource: () => make(of(globalThis, 'EventSource'), HERE),
  'the library behind fetch': () => {
    make(of(globalThis, 'Request'), HERE);
    return dispatcher();
  },
  'the library behind fetch, by WebAssembly': () => {
    call(of(globalThis, 'WebAssembly'), 'compileStreaming', Promise.resolve({}));
    return dispatcher();
  },
  'a socket like its input': () => socketLike('stdin'),
  'a socket like its output': () => socketLike('stdout'),
  'a socket like its errors': () => socketLike('stderr'),
  'the socket of Node itself': () => call(process, 'binding', 'tcp_wrap'),
  'the socket of Node itself, linked': () => call(process, '_linkedBinding', 'tcp_wrap'),
  'a socket like the input of a program': () => of(pipeOfProgram(), 'connect') ?? closed(),
  'a list that says yes': () => disguised(Set.prototype, 'has', () => true),
  'a name that is another': () => disguised(String.prototype, 'replace', () => 'fs'),
  'hooks that are asked first': () => call(Module, 'registerHooks', {}),
  'hooks in a thread': () => call(Module, 'register', 'data:text/javascript,'),
  ...Object.fromEntries(
    Object.entries(functions).flatMap(([name, one]) => [
      [`code of a string, by ${name}`, () => make(of(one, 'constructor'), 'return 1')],
      [
        `code of a string, by the prototype of ${name}`,
        () => call(Object.getPrototypeOf(one), 'constructor', 'return 1'),
      ],
      [
        `code of a string, by the parent of ${name}`,
        () => make(Object.getPrototypeOf(of(one, 'constructor')), 'return 1'),
      ],
    ]),
  ),
  'code of a string, by a descendant of Function': () => make(class extends Function {}, 'return 1'),
  'code of a string, by a restored Function': () => {
    Object.defineProperty(Function.prototype, 'constructor', { value: Function });
    return make(
      of(() => undefined, 'constructor'),
      'return 1',
    );
  },
  'code of a string, later': () => call(globalThis, 'setTimeout', 'return 1'),
  eval: () => call(globalThis, 'eval', '1'),
  Function: () => make(Function, 'return 1'),
  'a thread': () => make(of(require('node:worker_threads'), 'Worker'), '1', { eval: true }),
  'a process': () => call(require('node:child_process'), 'execFileSync', 'true'),
  'another program in its place': () => of(process, 'execve') ?? closed(),
  'a signal to the service': () => call(process, 'kill', process.ppid, 0),
  'a signal to the service, beneath': () => call(process, '_kill', process.ppid, 0),
  'the debugger of the service': () => of(process, '_debugProcess') ?? closed(),
  'native code': () => call(process, 'dlopen', { exports: {} }, '/usr/lib/x86_64-linux-gnu/libm.so.6'),
  'a variable of the service': () => process.env['FORENSIC_TEST_SECRET'] ?? closed(),
  'a file of the service': () => fs.readFileSync(secret),
  'a file of the service, by promise': () => fs.promises.readFile(secret),
  'a file of the service, as a blob': () => fs.openAsBlob(secret).then((blob) => blob.text()),
  'a file of the system': () => fs.readFileSync('/etc/passwd'),
  'a folder of the system': () => fs.readdirSync('/'),
  'its open files': () => fs.readdirSync('/proc/self/fd'),
  'the memory of the service': () => fs.openSync(`/proc/${process.ppid}/mem`, 'r'),
  'a new file': () => fs.writeFileSync(HOSTILE_FILE, 'x'),
  'a file beside the compiled code': () => (cache ? fs.symlinkSync(secret, `${cache}/hostile`) : closed()),
  'a link to a file of the service': () => fs.symlinkSync(secret, HOSTILE_FILE),
  'a report': () => call(of(process, 'report'), 'writeReport', HOSTILE_FILE),
};

// An attempt that fails asynchronously must not end the search.
process.on('uncaughtException', () => undefined);
const open: string[] = [];
for (const [name, way] of Object.entries(ways))
  await Promise.resolve()
    .then(way)
    .then(
      () => open.push(name),
      () => undefined,
    );
writeFrame({ tried: Object.keys(ways).length, open });
