/** Prints how many bytes of the heap a party without turns takes, beside a resource that is busy and at one that is not. Run with --expose-gc. */
import { FairTurns } from '../../core/fair-turns.ts';
import { partyOfKey } from '../../core/party.ts';

const REMEMBERED = 1_000;

function heldBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function comeAndGo(turns: FairTurns): void {
  for (let number = 0; number < 10 * REMEMBERED; number++) turns.begin(partyOfKey(`${number}`, 'person'))?.();
}

const resources = Array.from({ length: 4 }, () => new FairTurns({ atOnce: 4, ofOneParty: 2 }));
for (const turns of resources) comeAndGo(turns);
const before = heldBytes();
const bytesOfEach = () => (heldBytes() - before) / (resources.length * REMEMBERED);
const ends = resources.map((turns) => turns.begin(partyOfKey('busy')));
for (const turns of resources) comeAndGo(turns);
const beside = bytesOfEach();
for (const end of ends) end?.();
const afterwards = bytesOfEach();
console.log(JSON.stringify({ beside, afterwards, hasWaiters: resources.some((turns) => turns.hasWaiters()) }));
