/**
 * NestJS on Express with its validation pipe. Node's type stripping does not support decorators, so those files are compiled as
 * Nest's own build does, and cached for later starts.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const DECORATED = new URL('./nest/', import.meta.url).href;
const KEPT = new URL('../../node_modules/.cache/bench-nest/', import.meta.url);
const require = createRequire(import.meta.url);

registerHooks({
  load: (url, context, next) =>
    url.startsWith(DECORATED) ? { format: 'module', source: compiled(url), shortCircuit: true } : next(url, context),
});
await import('./nest/main.ts');

function compiled(url: string): string {
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const file = new URL(`${createHash('sha256').update(source).digest('hex')}.js`, KEPT);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const ts: typeof import('typescript') = require('typescript');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        verbatimModuleSyntax: true,
      },
    });
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(file, outputText);
    return outputText;
  }
}
