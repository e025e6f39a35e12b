import * as fs from 'node:fs';
import Module, { registerHooks, syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { MODULES } from './places.ts';

/**
 * Loaded before anything else in a process that reads documents of strangers: takes away what Node's permission model leaves
 * open, which in Node 24 is above all the network. Whatever is not named here cannot be loaded. Who comes later can change
 * every prototype, so that nothing below may call a method of one: what it needs is taken from there now.
 */
const OPEN = namesOf(
  `assert buffer child_process constants crypto events fs fs/promises module os path path/posix perf_hooks process punycode
  querystring stream stream/promises stream/web string_decoder timers timers/promises url util util/types worker_threads zlib`,
);
/** Asked for by libraries that then do without them: they get them empty, for a class within makes sockets. */
const EMPTIED = ['child_process', 'worker_threads'];
/** Reach the network, or the library that does. */
const GLOBALS = `fetch WebSocket EventSource Request Headers FormData MessageEvent CloseEvent
  BroadcastChannel`.split(/\s+/);
/** Reach other processes, native code, or streams whose class is a socket. */
const OF_PROCESS =
  `binding _linkedBinding kill _kill _debugProcess _debugEnd _startProfilerIdleNotifier execve abort chdir umask
  stdin stdout stderr openStdin loadEnvFile setuid setgid seteuid setegid setgroups initgroups _getActiveHandles
  _getActiveRequests mainModule`.split(/\s+/);
const NATIVE = `${fs.realpathSync(MODULES)}${sep}@img${sep}`;

const { realpathSync } = fs;
const { apply } = Reflect;
const beginsWith: (text: string, beginning: string) => boolean = Function.prototype.call.bind(
  String.prototype.startsWith,
);

class Refused extends Error {}

/** With and without the prefix that says whose they are. */
function namesOf(names: string): Record<string, true | undefined> {
  const all = names.split(/\s+/).flatMap((name) => [name, `node:${name}`]);
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(all.map((name) => [name, true]))));
}

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (OPEN[found.url] || beginsWith(found.url, 'file:')) return found;
    throw new Refused(`${specifier} is out of reach here.`);
  },
});

function remove(owner: object, names: readonly PropertyKey[]): void {
  for (const name of names)
    Object.defineProperty(owner, name, { value: undefined, configurable: false, writable: false });
}

/** Libraries ask for modules this way, too. */
function builtin(name: string): unknown {
  return typeof name === 'string' && OPEN[name] ? getBuiltin(name) : undefined;
}

const getBuiltin = process.getBuiltinModule;
Object.defineProperty(process, 'getBuiltinModule', { value: builtin, configurable: false, writable: false });

const load = process.dlopen;
/** Pictures are decoded by native code, which is loaded from one place. */
function loadNative(module: object, filename: string, flags?: number): void {
  if (!beginsWith(realpathSync(filename), NATIVE)) throw new Refused('This native code is out of reach here.');
  apply(load, process, flags === undefined ? [module, filename] : [module, filename, flags]);
}
Object.defineProperty(process, 'dlopen', { value: loadNative, configurable: false, writable: false });

const { report } = process;
Reflect.set(report, 'excludeNetwork', true);
/** Which C library there is, for whoever chooses native code by it; nothing else of a report is for a stranger. */
function getReport(): object {
  const { header, sharedObjects } = Object(report.getReport());
  return { header: { glibcVersionRuntime: header.glibcVersionRuntime }, sharedObjects };
}
Object.defineProperty(process, 'report', { value: { getReport }, configurable: false, writable: false });

for (const name of EMPTIED) {
  const emptied = Object(getBuiltin(name));
  remove(emptied, Object.keys(emptied));
}
// Hooks of others would be asked before these.
remove(Module, ['register', 'registerHooks']);
syncBuiltinESMExports();
// Node loads their library for the event of any message, and whoever changed `Object.defineProperty` by then would be handed what
// opens connections: it is loaded now, before there is a stranger, although that takes long.
Reflect.get(globalThis, 'MessageEvent');
// A library wants to see the class, and never makes one.
Object.defineProperty(globalThis, 'Response', { value: class {}, configurable: false, writable: false });
remove(globalThis, GLOBALS);
// Where that library keeps what opens connections: under another symbol in each of its versions.
remove(
  globalThis,
  Object.getOwnPropertySymbols(globalThis).filter((symbol) => symbol !== Symbol.toStringTag),
);
remove(Object(Reflect.get(globalThis, 'WebAssembly')), ['compileStreaming', 'instantiateStreaming']);
remove(process, OF_PROCESS);
// Libraries write what they think of a document; nobody reads it, and it would be personal data.
for (const name of Object.keys(console)) Reflect.set(console, name, () => undefined);
