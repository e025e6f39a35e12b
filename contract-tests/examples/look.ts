/** Prints, as JSON, the answers of a real service to every example, on this run's database. */
import { seeFromServer } from './seen-from-server.ts';

console.log(JSON.stringify(await seeFromServer()));
