/** The service with another contract. It reads its own once per process, so a change before the start takes effect. */
import { useCompileCache } from '../../bin/service/compile-cache.ts';

useCompileCache();
const { readContract } = await import('../../core/contract.ts');
const { readConfig } = await import('../../core/settings/config.ts');
const { startService } = await import('../../bin/service/service.ts');
const { variants, varied } = await import('./varied-contract.ts');

const variant = variants.find((one) => one === process.env['BENCH_CONTRACT']);
if (!variant) throw new Error('BENCH_CONTRACT names no variant.');
const contract = readContract();
Object.assign(contract, varied(contract, variant));
await startService(readConfig(process.env));
