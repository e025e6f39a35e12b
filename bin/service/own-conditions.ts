import { ok, problem } from '../../core/conditions/observation.ts';
import type { Config } from '../../core/settings/config.ts';
import { isReady, readinessOf, type Watched } from '../../http/operators/readiness.ts';
import { ConditionWatch } from '../../jobs/conditions/watch.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { looking, schemaOf, sightOf } from './conditions.ts';
import { serviceAddress } from './own-address.ts';

/** The conditions as this process sees them, itself included. */
export function watchOwn(
  config: Config,
  { db, providers, now }: Pick<Runtime, 'db' | 'providers' | 'now'>,
  own: Omit<Watched, 'db'>,
): ConditionWatch {
  const readiness = readinessOf({ db, ...own });
  const ready = async () => {
    const parts = await readiness();
    const failing = Object.values(parts).filter((reason) => reason !== null);
    return isReady(parts) ? ok('This process is ready.') : problem(`This process is not ready: ${failing.join(', ')}.`);
  };
  const sight = () =>
    sightOf({
      config,
      providers,
      url: () => serviceAddress(config),
      process: { process: async () => ok('This process answers.'), ready },
      database: () => schemaOf(db, config),
      opened: () => db,
      db: () => db,
      answering: async () => db,
      now: now(),
    });
  return new ConditionWatch(sight, looking, now);
}
