import { InvalidArgumentError } from 'commander';
import { contractSchema, readBySchema } from './contract-rules.ts';

/** An address as a person types it. Throws what commander reports as a usage fault. */
export function parseEmail(text: string): string {
  const read = readBySchema<string>(contractSchema('Email'), text);
  if ('value' in read) return read.value;
  const faults = read.faults.map(({ message }) => message.replace('match format "email"', 'be an e-mail address'));
  throw new InvalidArgumentError(`It ${faults.join(' and ')}.`);
}
