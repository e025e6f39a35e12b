import type { Mutation } from '../mutation.ts';

/** The engine that reads untrusted documents and may accuse a person. */
export const forensicsMutations: readonly Mutation[] = [
  {
    id: 'two-families-accuse',
    hurts: 'One medium finding accuses an honest person of tampering.',
    file: 'packages/forensics/conclude.ts',
    text: "[2, 'tampered'],",
    replacement: "[1, 'tampered'],",
    tests: ['packages/forensics/tests/signatures', 'packages/forensics/tests/open-document'],
  },
  {
    id: 'unreadable-is-inconclusive',
    hurts: 'A file that could not be examined is reported as one in which nothing was found.',
    file: 'packages/forensics/conclude.ts',
    text: 'line?.[1] ?? (obstacle === undefined ?',
    replacement: "line?.[1] ?? (obstacle !== '' ?",
    tests: ['packages/forensics/tests/open-document'],
  },
  {
    id: 'memory-limit',
    hurts: 'One document exhausts the memory of the machine.',
    file: 'packages/forensics/isolation/memory.ts',
    text: 'if (bytes > limitMib * KIB * KIB)',
    replacement: 'if (bytes > limitMib * KIB * KIB * KIB)',
    tests: ['packages/forensics/tests/isolation'],
  },
  {
    id: 'priority-of-analyses',
    hurts: 'While one landlord has documents analysed, callers and persons wait for a processor.',
    file: 'packages/forensics/isolation/sandbox.ts',
    text: 'if command -v nice >/dev/null;',
    replacement: 'if false;',
    tests: ['packages/forensics/tests/isolation'],
  },
  {
    id: 'network-of-sandbox',
    hurts: 'A document that takes over its process sends other documents away.',
    file: 'packages/forensics/isolation/lockdown.ts',
    text: "|| beginsWith(found.url, 'file:')",
    replacement: "|| beginsWith(found.url, 'file:') || beginsWith(found.url, 'node:')",
    tests: ['packages/forensics/tests/isolation'],
  },
  {
    id: 'decompression-bomb',
    hurts: 'A small file that unpacks to gigabytes stops all analyses.',
    file: 'packages/forensics/prescan/pdf.ts',
    text: 'const NESTED_LAYERS = 4;',
    replacement: 'const NESTED_LAYERS = 400;',
    tests: ['packages/forensics/tests/hostile'],
  },
  {
    id: 'sanitized-numbers',
    hurts: 'A lying worker stores a result that no program can read.',
    file: 'packages/forensics/isolation/fields.ts',
    text: '!Number.isFinite(value)',
    replacement: 'Number.isNaN(value)',
    tests: ['packages/forensics/tests/isolation'],
  },
  {
    id: 'contributions-of-all',
    hurts: 'An employee of two employers, who share a ceiling, is accused of raised pay.',
    file: 'packages/forensics/content/legal-rates.ts',
    text: 'const isOfAll = ranges.every((own)',
    replacement: 'const isOfAll = ranges.some((own)',
    tests: ['packages/forensics/tests/legal-rates'],
  },
];
