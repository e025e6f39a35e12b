import { charactersOf, dictionaryOf, entry, nameOf, textOf } from '../../pdf/objects.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Evidence, type Rule, verdictOf } from '../../rule.ts';

const NAMED = 50;

/**
 * Lists the files embedded in the document (ISO 32000-1, 7.11.4). Many are intended: invoices carry their data as XML (ZUGFeRD, Factur-X).
 * People should know about the others, because no page shows them.
 *
 * Known false positives: none, because it decides nothing. Source: ISO 32000-1, 7.11.4 and 12.5.6.15.
 */
export const attachments: Rule = {
  name: 'attachments',
  version: 1,
  title: 'Attached files',
  strength: 'context',
  family: 'structure',
  appliesTo: ['pdf'],
  run({ bytes }) {
    const structure = structureOf(bytes);
    const evidence = attachedFiles(structure);
    if (evidence.length === 0) return verdictOf([]);
    const count = evidence.length === 1 ? 'A file is' : `${evidence.length} files are`;
    return verdictOf([{ message: `${count} attached to the document, which its pages do not show.`, evidence }]);
  },
};

function attachedFiles({ objects, current }: Structure): Evidence[] {
  const found: Evidence[] = [];
  for (const object of objects) {
    const files = dictionaryOf(current.get(object.value, 'EF'));
    if (files === undefined || current.object(object.number) !== object || found.length >= NAMED) continue;
    const name = textOf(current.get(object.value, 'UF')) ?? textOf(current.get(object.value, 'F'));
    const file = current.referred(files.entries.get('UF') ?? files.entries.get('F'));
    const type = nameOf(entry(file?.value, 'Subtype'));
    const { start, end } = file?.data ?? { start: object.offset, end: object.offset };
    const details = {
      name: name === undefined ? '' : charactersOf(name, 200),
      ...(type === undefined ? {} : { type: type.slice(0, 100) }),
    };
    found.push({ offset: start, length: end - start, details });
  }
  return found;
}
