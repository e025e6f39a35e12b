import { charactersOf, dictionaryOf, nameOf, textOf, type Value } from '../../pdf/objects.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Evidence, type Rule, verdictOf } from '../../rule.ts';

const SCRIPTS = 50;
const SHOWN = 200;
const VALUES = 300_000;

/**
 * Finds scripts in the document (ISO 32000-1, 12.6.4.16), which can change what it shows when it is opened. Forms use them to validate and
 * add up what is filled in; statements and payslips do not need them.
 *
 * Known false positives: none, because it decides nothing. Source: ISO 32000-1, 12.6.4.16.
 */
export const javascript: Rule = {
  name: 'javascript',
  version: 1,
  title: 'Programs inside the file',
  strength: 'context',
  family: 'structure',
  appliesTo: ['pdf'],
  run({ bytes }) {
    const evidence = scripts(structureOf(bytes));
    if (evidence.length === 0) return verdictOf([]);
    const message = 'The document contains programs that run when it is opened or filled in.';
    return verdictOf([{ message, evidence }]);
  },
};

function scripts(structure: Structure): Evidence[] {
  const found: Evidence[] = [];
  const reachable = structure.current.reachable();
  let looked = 0;
  for (const object of structure.objects) {
    if (!reachable.has(object)) continue;
    const waiting: Value[] = [object.value];
    while (waiting.length > 0 && found.length < SCRIPTS && looked++ < VALUES) {
      const value = waiting.pop();
      if (Array.isArray(value)) for (const item of value) waiting.push(item);
      const dictionary = dictionaryOf(value);
      if (dictionary === undefined) continue;
      if (nameOf(dictionary.entries.get('S')) === 'JavaScript')
        found.push({ offset: object.offset, after: scriptIn(structure, dictionary.entries.get('JS')) });
      for (const item of dictionary.entries.values()) if (typeof item === 'object' && item !== null) waiting.push(item);
    }
  }
  return found;
}

function scriptIn(structure: Structure, value: Value | undefined): string {
  const text = textOf(structure.current.resolve(value));
  if (text !== undefined) return charactersOf(text, SHOWN);
  const stream = structure.current.referred(value);
  const data = stream && structure.decoded(stream);
  return data === undefined ? '' : Buffer.from(data.subarray(0, SHOWN)).toString('latin1');
}
