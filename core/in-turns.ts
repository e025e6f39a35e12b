const TURNS = Symbol('turns');

/** A provider that takes a turn of its caller's party for each call (`fair-turns.ts`). Only `inTurns` makes one. */
export type InTurns<Port> = Port & { readonly [TURNS]: true };

type Call = (...given: never[]) => unknown;
type Calls<Port> = {
  [Name in keyof Port]-?: [Extract<Port[Name], Call>] extends [never] ? never : Name;
}[keyof Port];

/**
 * How the calls of a function take turns. `local` ones are answered without a call, or by one that all callers share; `within` is for functions that take a turn themselves, such
 * as until the head of an answer. Only what is waited for can take one here.
 */
type Turns<Function extends Call> =
  | 'local'
  | 'within'
  | (ReturnType<Function> extends Promise<unknown> ? <Result>(work: () => Promise<Result>) => Promise<Result> : never);

/** Lets a provider take turns: at each of its functions, so that none can be forgotten. */
export function inTurns<Port extends object>(
  port: Port,
  turns: { readonly [Name in Calls<Port>]: Turns<Extract<Port[Name], Call>> },
): InTurns<Port> {
  const wrapped = { ...port, [TURNS]: true as const };
  for (const [name, take] of Object.entries<unknown>(turns)) {
    const member: unknown = Reflect.get(port, name);
    if (typeof member !== 'function') continue;
    const call = (...given: unknown[]) => Reflect.apply(member, port, given);
    const inTurn = (...given: unknown[]) => typeof take === 'function' && take(async () => call(...given));
    Reflect.set(wrapped, name, typeof take === 'function' ? inTurn : call);
  }
  return wrapped;
}
