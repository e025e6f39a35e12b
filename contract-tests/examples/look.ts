/** Prints what a real service on the database of this run shows of every example, as JSON. */
import { seeFromServer } from './seen-from-server.ts';

console.log(JSON.stringify(await seeFromServer()));
