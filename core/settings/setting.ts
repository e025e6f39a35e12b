import * as v from '@badrap/valita';

/** What a setting accepts. */
interface Rule<Value> {
  /** Parses its text. */
  type: v.Type<Value>;
  /** The accepted values, in Markdown; empty when the meaning describes them. */
  values: string;
}

/** One declaration, from which settings are parsed and the tables of docs/operating are generated. */
export interface Setting<Value = unknown> extends Rule<Value> {
  /** The default, in Markdown. */
  fallback: string;
  /** In Markdown. */
  meaning: string;
}

export type SettingsTable = Readonly<Record<string, Setting>>;

export const text: Rule<string> = { type: v.string(), values: '' };

export function oneOf<Allowed extends string>(...allowed: Allowed[]): Rule<Allowed> {
  return { type: v.union(...allowed.map((value) => v.literal(value))), values: allowed.map(code).join(', ') };
}

const switches = oneOf('true', 'false');

export const flag: Rule<boolean> = { ...switches, type: switches.type.map((value) => value === 'true') };

/** The fault says `use a whole number<unit> from 1 to 9<alternative>.` */
export function wholeNumber(minimum: number, maximum: number, unit = '', alternative = ''): Rule<number> {
  const isInRange = (given: string) => /^\d{1,9}$/.test(given) && Number(given) >= minimum && Number(given) <= maximum;
  const advice = `use a whole number${unit} from ${minimum} to ${maximum}${alternative}.`;
  return { type: v.string().assert(isInRange, advice).map(Number), values: `${minimum} to ${maximum}` };
}

/** A setting with a default. */
export function setting<Value extends {}>(
  rule: Rule<Value>,
  fallback: Value,
  meaning: string,
  shown = code(fallback),
): Setting<Value> {
  return { ...rule, type: rule.type.optional<Value>(() => fallback), fallback: shown, meaning };
}

/** A setting that is undefined when it is missing. */
export function optional<Value>(rule: Rule<Value>, meaning: string, fallback = 'none'): Setting<Value | undefined> {
  return { ...rule, type: rule.type.optional(() => undefined), fallback, meaning };
}

/** Reads single settings of a table. An invalid value becomes a line of `faults`, and the default applies. */
export function readerOf<Values>(
  table: { readonly [Name in keyof Values]: Setting<Values[Name]> },
  env: NodeJS.ProcessEnv,
  faults: string[],
) {
  return <Name extends keyof Values & string>(name: Name): Values[Name] => {
    const { type } = table[name];
    const given = env[name] || undefined;
    const parsed = type.try(given);
    if (parsed.ok) return parsed.value;
    faults.push(...parsed.issues.map((issue) => `${name} is "${given}"; ${advice(issue)}`));
    return type.parse(undefined);
  };
}

function advice(issue: v.Err['issues'][number]): string {
  if (issue.code === 'invalid_literal') return `use one of ${issue.expected.join(', ')}.`;
  return issue.code === 'custom_error' ? `${issue.message}` : `${issue.code}.`;
}

export function code(value: unknown): string {
  return `\`${value}\``;
}
