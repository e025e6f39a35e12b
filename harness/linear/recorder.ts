/** Preloaded into a process: prints the regular expressions built while the modules in RECORDED_FILES load. */
import { pathToFileURL } from 'node:url';

const made: { source: string; flags: string }[] = [];
const Original = globalThis.RegExp;
globalThis.RegExp = new Proxy(Original, {
  construct(target, [pattern, flags]: [string | RegExp, string?]) {
    const expression = new target(pattern, flags);
    if (new Error().stack?.includes('node_modules') === false)
      made.push({ source: expression.source, flags: expression.flags });
    return expression;
  },
});
const files: string[] = JSON.parse(process.env['RECORDED_FILES'] ?? '[]');
for (const file of files) await import(pathToFileURL(file).href);
console.log(JSON.stringify(made));
