import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what is compiled from now on beside the modules, for the next start: to compile takes longer than all else. What a
 * program imports in the usual way is compiled before this is called, so it imports late.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)));
}
