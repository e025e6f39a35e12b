import * as fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import { hear, say } from '../../../forensics/isolation/inside.ts';

/** Tries every way out that its author knows, and says which ones were open. */
const request = hear();
const { service, secret } = Object(request?.header);
const require = createRequire(import.meta.url);
const of = (owner: unknown, name: string | symbol): unknown => Reflect.get(Object(owner), name);
const call = (owner: unknown, name: string | symbol, ...given: unknown[]): unknown => {
  const method = of(owner, name);
  if (typeof method !== 'function') throw new Error('not there');
  return Reflect.apply(method, owner, given);
};
const WAYS_TO_THE_NETWORK = ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'inspector', 'tty'];
const WAYS_TO_CODE = ['vm', 'v8', 'wasi', 'repl', 'sqlite', 'test', 'sea', 'cluster', 'trace_events', 'diagnostics_channel'];
const SYMBOL = Symbol.for('undici.globalDispatcher.1');

const ways: Record<string, () => unknown> = {
  ...Object.fromEntries(
    [...WAYS_TO_THE_NETWORK, ...WAYS_TO_CODE].flatMap((name) => [
      [`import ${name}`, () => import(`node:${name}`)],
      [`require ${name}`, () => require(`node:${name}`)],
      [`load ${name}`, () => call(Module, '_load', name)],
      [`getBuiltinModule ${name}`, () => process.getBuiltinModule(name) ?? refuse()],
    ]),
  ),
  'import over https': () => import(`${'https'}://127.0.0.1/`),
  'import data': () => import(`${'data'}:text/javascript,1`),
  fetch: () => call(globalThis, 'fetch', service),
  WebSocket: () => Reflect.construct(of(globalThis, 'WebSocket') as never, [service]),
  EventSource: () => Reflect.construct(of(globalThis, 'EventSource') as never, [service]),
  'dispatcher of fetch': () => call(of(globalThis, SYMBOL), 'request', { origin: service, path: '/' }),
  'dispatcher after streaming WebAssembly': async () => {
    await call(of(globalThis, 'WebAssembly'), 'compileStreaming', Promise.resolve({}));
    return call(of(globalThis, SYMBOL), 'request', { origin: service, path: '/' });
  },
  'class of the output': () => call(Reflect.construct(of(of(process, 'stdout'), 'constructor') as never, []), 'connect', 1),
  'class of the input': () => call(Reflect.construct(of(of(process, 'stdin'), 'constructor') as never, []), 'connect', 1),
  'socket wrap': () => call(process, 'binding', 'tcp_wrap'),
  'linked binding': () => call(process, '_linkedBinding', 'tcp_wrap'),
  'more hooks': () => call(Module, 'registerHooks', {}),
  'hooks of a thread': () => call(Module, 'register', 'data:text/javascript,'),
  eval: () => Reflect.apply(of(globalThis, 'eval') as never, undefined, ['1']),
  Function: () => Reflect.construct(Function, ['return 1'])(),
  'a thread': () => Reflect.construct(require('node:worker_threads').Worker, ['1', { eval: true }]),
  'a process': () => require('node:child_process').spawnSync('true').error ?? 'started',
  'another program in its place': () => call(process, 'execve', '/bin/true', ['true']),
  'a signal to the service': () => call(process, 'kill', process.ppid, 0),
  'a signal to the service, beneath': () => call(process, '_kill', process.ppid, 0),
  'the debugger of the service': () => call(process, '_debugProcess', process.ppid),
  'native code': () => call(process, 'dlopen', { exports: {} }, '/usr/lib/x86_64-linux-gnu/libm.so.6'),
  'an engine of OpenSSL': () => require('node:crypto').setEngine('/tmp/engine.so'),
  'the environment': () => (Object.keys(process.env).length > 0 ? process.env : refuse()),
  'a file of the service': () => fs.readFileSync(secret),
  'a file of the service, by promise': () => fs.promises.readFile(secret),
  'a file of the service, by stream': () => new Promise((resolve, reject) => fs.createReadStream(secret).on('data', resolve).on('error', reject)),
  'a file of the service, as a blob': () => fs.openAsBlob(secret),
  'a file of the system': () => fs.readFileSync('/etc/passwd'),
  'a folder of the system': () => fs.readdirSync('/'),
  'open files': () => fs.readdirSync('/proc/self/fd'),
  'memory of the service': () => fs.openSync(`/proc/${process.ppid}/mem`, 'r'),
  'a new file': () => fs.writeFileSync('/tmp/hostile', 'x'),
  'a new file beside the engine': () => fs.writeFileSync(new URL('hostile', import.meta.url), 'x'),
  'a link to a file of the service': () => fs.symlinkSync(secret, '/tmp/hostile'),
  'a report': () => call(process.report, 'writeReport', '/tmp/hostile.json'),
  'a snapshot of the heap': () => require('node:v8').writeHeapSnapshot('/tmp/hostile.heapsnapshot'),
};

function refuse(): never {
  throw new Error('not there');
}

const open: string[] = [];
for (const [name, way] of Object.entries(ways)) {
  const answer = await Promise.resolve().then(way).then(() => name, () => undefined);
  if (answer !== undefined) open.push(name);
}
say({ tried: Object.keys(ways).length, open });
