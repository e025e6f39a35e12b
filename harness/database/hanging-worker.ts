/** Takes one job of the database in DATABASE_URL, says so and never finishes it: made to be killed. */

import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { openQueue } from './queue.ts';

const { queue } = await openQueue(readConfig(process.env).database, createLog('silent'));
await queue.start({
  'send-invite': (id) => {
    console.log(`took ${id}`);
    return new Promise(() => {});
  },
});
