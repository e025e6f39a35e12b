/** Readers of single settings. A value that is not allowed becomes a line of `faults`, and the fallback. */
export function valuesOf(env: NodeJS.ProcessEnv, faults: string[]) {
  return {
    oneOf<Allowed extends string>(name: string, allowed: readonly Allowed[], fallback: Allowed): Allowed {
      const value = env[name] || fallback;
      const found = allowed.find((candidate) => candidate === value);
      if (!found) faults.push(`${name} is "${value}"; use one of ${allowed.join(', ')}.`);
      return found ?? fallback;
    },
    wholeNumber(name: string, fallback: number, maximum: number, minimum = 1, unit = ''): number {
      const text = env[name] || String(fallback);
      if (/^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text);
      faults.push(`${name} is "${text}"; use a whole number${unit} from ${minimum} to ${maximum}.`);
      return fallback;
    },
  };
}
