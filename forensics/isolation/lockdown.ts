import * as fs from 'node:fs';
import Module, { registerHooks, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Loaded before anything else in a process that reads documents of strangers: takes away what Node's permission model leaves
 * open, which in Node 24 is above all the network. Whatever is not named here cannot be loaded.
 */
const OPEN = new Set(
  `assert buffer constants crypto events fs fs/promises module os path path/posix perf_hooks process punycode querystring stream
  stream/promises stream/web string_decoder timers timers/promises url util util/types zlib`.split(/\s+/),
);
/** Loaded by libraries that then do without them; the permission model refuses what they do. */
const POWERLESS = new Set(['child_process', 'worker_threads']);
/** Reach the network, or the library that does. */
const GLOBALS = `fetch WebSocket EventSource Request Headers FormData MessageEvent CloseEvent
  BroadcastChannel`.split(/\s+/);
/** Reach other processes, native code, or streams whose class is a socket. */
const OF_PROCESS =
  `binding _linkedBinding kill _kill _debugProcess _debugEnd _startProfilerIdleNotifier execve abort chdir umask
  stdin stdout stderr openStdin loadEnvFile setuid setgid seteuid setegid setgroups initgroups _getActiveHandles
  _getActiveRequests mainModule`.split(/\s+/);
const NATIVE = fileURLToPath(new URL('../../node_modules/@img/', import.meta.url));

class Refused extends Error {}

function plain(name: string): string {
  return name.replace(/^node:/, '');
}

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const name = plain(found.url);
    const isBuiltin = found.url.startsWith('node:');
    if (isBuiltin ? OPEN.has(name) || POWERLESS.has(name) : found.url.startsWith('file:')) return found;
    throw new Refused(`${specifier} is out of reach here.`);
  },
});

function remove(owner: object, names: readonly PropertyKey[]): void {
  for (const name of names)
    Object.defineProperty(owner, name, { value: undefined, configurable: false, writable: false });
}

/** Libraries ask for modules this way, too. */
function builtin(name: string): unknown {
  return OPEN.has(plain(name)) ? getBuiltin(name) : undefined;
}

const getBuiltin = process.getBuiltinModule;
Object.defineProperty(process, 'getBuiltinModule', { value: builtin, configurable: false, writable: false });

const load = process.dlopen;
/** Pictures are decoded by native code, which is loaded from one place. */
function loadNative(module: object, filename: string, flags?: number): void {
  if (!fs.realpathSync(filename).startsWith(NATIVE)) throw new Refused('This native code is out of reach here.');
  if (flags === undefined) load.call(process, module, filename);
  else load.call(process, module, filename, flags);
}
Object.defineProperty(process, 'dlopen', { value: loadNative, configurable: false, writable: false });

const { report } = process;
/** Which C library there is, for whoever chooses native code by it; nothing else of a report is for a stranger. */
function getReport(): object {
  Reflect.set(report, 'excludeNetwork', true);
  const { header, sharedObjects } = Object(report.getReport());
  return { header: { glibcVersionRuntime: header.glibcVersionRuntime }, sharedObjects };
}
Object.defineProperty(process, 'report', { value: { getReport }, configurable: false, writable: false });

// Hooks of others would be asked before these.
remove(Module, ['register', 'registerHooks']);
syncBuiltinESMExports();
// A library wants to see the class, and never makes one.
Object.defineProperty(globalThis, 'Response', { value: class {}, configurable: false, writable: false });
remove(globalThis, [...GLOBALS, Symbol.for('undici.globalDispatcher.1')]);
remove(Object(Reflect.get(globalThis, 'WebAssembly')), ['compileStreaming', 'instantiateStreaming']);
remove(process, OF_PROCESS);
// Libraries write what they think of a document; nobody reads it, and it would be personal data.
for (const name of Object.keys(console)) Reflect.set(console, name, () => undefined);
