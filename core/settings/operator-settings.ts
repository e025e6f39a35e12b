import { flag, optional, readerOf, setting, text, wholeNumber } from './setting.ts';

/** Where the console and the probes listen: apart from the public port, because they show what callers must not see. */
export interface OperatorSettings {
  /** 0 picks a free port. */
  port: number;
  host: string;
  /** Undefined when there is no console. */
  console: ConsoleSettings | undefined;
}

export interface ConsoleSettings {
  /** The address at which operators' browsers reach it, without a trailing slash; undefined means the listening address. */
  url: string | undefined;
}

export const operatorSettings = {
  OPS_PORT: optional(
    wholeNumber(0, 65_535),
    'Port of [probes and metrics](monitor.md#probes), for API and workers; `0`: any free port.',
  ),
  CONSOLE: setting(flag, false, '`true` serves the [console](console.md) on `OPS_PORT`.'),
  CONSOLE_URL: optional(
    text,
    'Address of the console in browsers. Live requires https, or http on localhost.',
    'where it listens',
  ),
  OPS_HOST: setting(text, '127.0.0.1', 'Address of `OPS_PORT`. Keep it unreachable for callers.'),
};

/** Appends problems to `faults`. @returns undefined when there is no listener for operators */
export function readOperators(
  env: NodeJS.ProcessEnv,
  { port: publicPort, mode }: { port: number; mode: 'sandbox' | 'live' },
  faults: string[],
): OperatorSettings | undefined {
  const read = readerOf(operatorSettings, env, faults);
  const hasConsole = read('CONSOLE');
  const url = readConsoleUrl(read('CONSOLE_URL'), mode, faults);
  const port = read('OPS_PORT');
  const host = read('OPS_HOST');
  if (port === undefined) {
    if (hasConsole && !env['OPS_PORT'])
      faults.push('CONSOLE is true, but OPS_PORT is missing: the console is served on that port.');
    return undefined;
  }
  if (port !== 0 && port === publicPort)
    faults.push(`OPS_PORT is ${port}, as PORT is; use another port, which callers cannot reach.`);
  return { port, host, console: hasConsole ? { url } : undefined };
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Sign-in links and session cookies go there: live requires TLS, except on the machine itself. */
function readConsoleUrl(text: string | undefined, mode: 'sandbox' | 'live', faults: string[]): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'http:' && (mode === 'sandbox' || LOOPBACK.test(url.hostname));
  if (!url || !(url.protocol === 'https:' || isPlain) || url.search || url.hash || url.username)
    faults.push(`CONSOLE_URL is "${text}"; use an absolute https address, or http on localhost.`);
  return text.replace(/(?<!\/)\/+$/, '');
}
