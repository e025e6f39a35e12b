import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ImportLine } from '../../../db/properties/staged-properties.ts';
import { UsageError } from '../cli/faults.ts';
import { readGivenFile, readStandardInput, streamGivenFile, typedPath } from '../cli/read-file.ts';
import { lineBlocks } from './line-blocks.ts';

export const FORMATS = ['csv', 'jsonl', 'json'] as const;
export type Format = (typeof FORMATS)[number];

const EXTENSIONS: Record<string, Format> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
};

/** Means standard input. */
const INPUT = '-';

/** The lines to import, read in batches. */
export interface PropertySource {
  /** In bytes; undefined when unknown. */
  size: number | undefined;
  /** @param tick takes how many bytes were read so far */
  read(tick: (bytes: number) => void): AsyncIterable<ImportLine[]>;
  /** The name of a line for people. */
  nameLine(line: number): string;
}

/** @throws UsageError when the extension is unknown */
export function formatOf(file: string): Format {
  const format = EXTENSIONS[extname(file).toLowerCase()];
  if (!format) throw new UsageError(`The format of ${file} is unknown; add --format ${FORMATS.join('|')}`);
  return format;
}

/** @throws OperatorError for an invalid JSON document */
export async function openSource(file: string, format: Format): Promise<PropertySource> {
  if (format === 'json') return openDocument(file);
  const { csvLines, jsonLines } = await import('../../../jobs/properties/property-lines.ts');
  const pieces = file === INPUT ? process.stdin : streamGivenFile(file);
  // Read errors are reported while reading.
  const found = file === INPUT ? undefined : await stat(typedPath(file)).catch(() => undefined);
  return {
    size: found?.size,
    read: (tick) => (format === 'csv' ? csvLines : jsonLines)(lineBlocks(counted(pieces, tick))),
    nameLine: (line) => `line ${line}`,
  };
}

/** A JSON document is read into memory and validated as a whole before anything is imported. */
async function openDocument(file: string): Promise<PropertySource> {
  const bytes = await (file === INPUT ? readStandardInput() : readGivenFile(file));
  const { documentLines, parsePropertyFile } = await import('./json-document.ts');
  const { lines, places } = documentLines(parsePropertyFile(file, bytes));
  return {
    size: undefined,
    async *read() {
      yield lines;
    },
    nameLine: (line) => places[line - 1] ?? '',
  };
}

async function* counted(pieces: AsyncIterable<Uint8Array>, tick: (bytes: number) => void) {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    tick(bytes);
    yield piece;
  }
}
