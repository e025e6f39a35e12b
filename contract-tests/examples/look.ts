/** Prints, as JSON, how a real service on this run's database answers for every example. */
import { seeFromServer } from './seen-from-server.ts';

console.log(JSON.stringify(await seeFromServer()));
