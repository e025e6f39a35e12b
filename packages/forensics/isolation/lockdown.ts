import * as fs from 'node:fs';
import Module, { registerHooks, syncBuiltinESMExports } from 'node:module';
import { join, sep } from 'node:path';
import { SHARP } from './paths.ts';

/**
 * Loaded first in a process that reads untrusted documents. It removes what Node's permission model leaves open, in Node 24 above all the
 * network: only the modules on this allow-list can be loaded. Later code may patch any prototype, so code that runs then must not call
 * prototype methods; such functions are captured here.
 */
const OPEN = namesOf(
  `assert buffer child_process constants crypto events fs fs/promises module os path path/posix perf_hooks process punycode
  querystring stream stream/promises stream/web string_decoder timers timers/promises url util util/types worker_threads zlib`,
);
/** Libraries import these but work without them. They are emptied, because a class in them creates sockets. */
const EMPTIED = ['child_process', 'worker_threads'];
/** These reach the network, directly or through undici, or make code of strings. */
const GLOBALS = `fetch WebSocket EventSource Request Headers FormData MessageEvent CloseEvent
  BroadcastChannel eval`.split(/\s+/);
/** The constructor of each kind makes code of strings. */
const FUNCTIONS = [() => undefined, async () => undefined, function* () {}, async function* () {}];
/** These reach other processes, native code, or streams whose class is a socket. */
const OF_PROCESS =
  `binding _linkedBinding kill _kill _debugProcess _debugEnd _startProfilerIdleNotifier execve abort chdir umask
  stdin stdout stderr openStdin loadEnvFile setuid setgid seteuid setegid setgroups initgroups _getActiveHandles
  _getActiveRequests mainModule`.split(/\s+/);
/** npm installs sharp's native packages beside it or, if versions conflict, inside it. */
const BESIDE_SHARP = `${join(fs.realpathSync(SHARP), '../@img')}${sep}`;
const IN_SHARP = `${join(fs.realpathSync(SHARP), 'node_modules/@img')}${sep}`;

/** This package's sources. */
const OWN = new URL('../', import.meta.url).href;

const { realpathSync } = fs;
const { apply } = Reflect;
const { defineProperty } = Object;
const { URL: CapturedURL } = globalThis;
const beginsWith: (text: string, beginning: string) => boolean = Function.prototype.call.bind(
  String.prototype.startsWith,
);
const endsWith: (text: string, end: string) => boolean = Function.prototype.call.bind(String.prototype.endsWith);
const hrefOf: (url: URL) => string = Function.prototype.call.bind(
  Object(Object.getOwnPropertyDescriptor(URL.prototype, 'href')).get,
);

class Denied extends Error {}

/** Stands for the class `Function`, for which libraries test. */
function CodeOfStrings(): never {
  throw new Denied('Code from strings is out of reach here.');
}

/** The names with and without the prefix `node:`. */
function namesOf(names: string): Record<string, true | undefined> {
  const all = names.split(/\s+/).flatMap((name) => [name, `node:${name}`]);
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(all.map((name) => [name, true]))));
}

/** Node would look for the real path and a package.json at each of several hundred imports: a sixth of a worker's start. */
function ownSource(specifier: string, importer = '') {
  const isOwn = beginsWith(importer, OWN) && beginsWith(specifier, '.') && endsWith(specifier, '.ts');
  if (!isOwn) return undefined;
  return { url: hrefOf(new CapturedURL(specifier, importer)), format: 'module-typescript', shortCircuit: true };
}

registerHooks({
  resolve(specifier, context, next) {
    const found = ownSource(specifier, context.parentURL) ?? next(specifier, context);
    if (OPEN[found.url] || beginsWith(found.url, 'file:')) return found;
    throw new Denied(`${specifier} is out of reach here.`);
  },
});

function remove(owner: object, names: readonly PropertyKey[]): void {
  for (const name of names)
    Object.defineProperty(owner, name, { value: undefined, configurable: false, writable: false });
}

/** Libraries also load modules this way. */
function builtin(name: string): unknown {
  return typeof name === 'string' && OPEN[name] ? getBuiltin(name) : undefined;
}

const getBuiltin = process.getBuiltinModule;
Object.defineProperty(process, 'getBuiltinModule', { value: builtin, configurable: false, writable: false });

const load = process.dlopen;
/** Only sharp's native code, which decodes pictures, may be loaded. */
function loadNative(module: object, filename: string, flags?: number): void {
  const real = realpathSync(filename);
  if (!beginsWith(real, BESIDE_SHARP) && !beginsWith(real, IN_SHARP))
    throw new Denied('This native code is out of reach here.');
  apply(load, process, flags === undefined ? [module, filename] : [module, filename, flags]);
}
Object.defineProperty(process, 'dlopen', { value: loadNative, configurable: false, writable: false });

const { report } = process;
Reflect.set(report, 'excludeNetwork', true);
/** Only what sharp uses to choose its native code: the version of the C library and the names of shared objects. */
function getReport(): object {
  const { header, sharedObjects } = Object(report.getReport());
  return { header: { glibcVersionRuntime: header.glibcVersionRuntime }, sharedObjects };
}
Object.defineProperty(process, 'report', { value: { getReport }, configurable: false, writable: false });

for (const name of EMPTIED) {
  const emptied = Object(getBuiltin(name));
  remove(emptied, Object.keys(emptied));
}
// Hooks registered later would run before these.
remove(Module, ['register', 'registerHooks']);
syncBuiltinESMExports();
// Node loads undici on first use of MessageEvent. Code that has patched `Object.defineProperty` by then could capture the objects that
// open connections, so undici is loaded now, although that is slow.
Reflect.get(globalThis, 'MessageEvent');
// A library only tests for the class.
Object.defineProperty(globalThis, 'Response', { value: class {}, configurable: false, writable: false });
remove(globalThis, GLOBALS);
// undici keeps its dispatcher under a global symbol that differs between versions.
remove(
  globalThis,
  Object.getOwnPropertySymbols(globalThis).filter((symbol) => symbol !== Symbol.toStringTag),
);
// With V8's option for this, Node compiles its own modules again: a sixth of the process's start.
for (const one of FUNCTIONS)
  defineProperty(Object.getPrototypeOf(one), 'constructor', {
    get: () => CodeOfStrings,
    // Libraries give functions constructors of their own.
    set(value: unknown) {
      defineProperty(this, 'constructor', { value, writable: true, enumerable: true, configurable: true });
    },
    configurable: false,
  });
CodeOfStrings.prototype = Function.prototype;
Object.defineProperty(globalThis, 'Function', { value: CodeOfStrings, configurable: false, writable: false });
remove(Object(Reflect.get(globalThis, 'WebAssembly')), ['compileStreaming', 'instantiateStreaming']);
remove(process, OF_PROCESS);
// Libraries log details of a document: personal data that must not reach a log.
for (const name of Object.keys(console)) Reflect.set(console, name, () => undefined);
