import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

let previous = '0'.repeat(64);
let expected = 1;
for (const line of readFileSync(process.argv[2], 'utf8').trimEnd().split('\n')) {
  const { hash, ...entry } = JSON.parse(line);
  const json = JSON.stringify(Object.fromEntries(Object.entries(entry).sort()));
  const right = createHash('sha256').update(`${previous}\n${json}`).digest('hex');
  if (entry.position !== expected || hash !== right) throw new Error(`Position ${expected} does not fit.`);
  [previous, expected] = [hash, expected + 1];
}
console.log(`${expected - 1}:${previous}`);
