import { globSync, readFileSync } from 'node:fs';

/** All pages for operators. */
export const operatingGuide = globSync('docs/operating/*.md')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** The settings that the guide's tables name, or use as a default. */
export const documentedSettings = new Set(
  operatingGuide
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((row) =>
      [
        ...row
          .split('|')
          .slice(1, 3)
          .join()
          .matchAll(/`([A-Z][A-Z0-9_]+)`/g),
      ].map(([, name = '']) => name),
    ),
);
