import type { Volley } from '../api/load.ts';
import type { Filled } from './filled.ts';

type Request = Volley['requests'][number];

/** An operation whose cost is compared. */
export interface Asked {
  name: string;
  /** In each round. */
  count: number;
  request(database: Filled): Request;
}

/**
 * The highest factor by which a request may cost more when a thousand times as much is stored. Indexes are two levels deeper, and
 * hardly any page is still in the processor's cache or in SQLite's page cache of 16 MiB. A request that reads a whole table costs
 * hundreds of times more.
 */
export const MOST = 2;

let made = 0;

/** The operations that read or write growing tables. */
export const asked: readonly Asked[] = [
  {
    name: 'get-application',
    count: 2_000,
    request: (database) => {
      const number = anyOf(database);
      return get(database, number, `/applications/${database.applicationId(number)}`);
    },
  },
  {
    name: 'create-application',
    count: 400,
    request: (database) => {
      const number = ++made;
      const tenants = Array.from({ length: database.size.participants }, (_, place) => ({
        email: `new-${number}-${place}@mail.example`,
        is_lead: place === 0,
      }));
      const body = JSON.stringify({ title: `Flat ${number} at Gran Vía 7`, tenants });
      return { token: database.tokenFor(number), method: 'POST', path: '/applications/create-application', body };
    },
  },
  {
    name: 'update-participant',
    count: 400,
    request: (database) => {
      const number = anyOf(database);
      const path = `/applications/${database.applicationId(number)}/participants/${database.addressOf(number, 1)}`;
      return {
        token: database.tokenFor(number),
        method: 'PATCH',
        path,
        body: JSON.stringify({ name: `Person ${++made}` }),
      };
    },
  },
  {
    name: 'list-workspaces',
    count: 800,
    request: (database) => get(database, anyOf(database), '/property-management/workspaces'),
  },
  {
    name: 'get-property',
    count: 800,
    request: (database) => {
      const { propertyId, workspaceId } = database;
      return get(
        database,
        anyOf(database),
        `/property-management/properties/${propertyId}?workspace_id=${workspaceId}`,
      );
    },
  },
  {
    name: 'create-webhook',
    count: 400,
    request: (database) => {
      const body = JSON.stringify({ url: `https://letting.example/hooks/${++made}` });
      return { token: database.tokenFor(made), method: 'POST', path: '/webhooks/create-webhook', body };
    },
  },
];

/** A random application, so that earlier requests help as little as in reality. */
function anyOf({ size }: Filled): number {
  return 1 + Math.floor(Math.random() * size.applications);
}

function get(database: Filled, application: number, path: string): Request {
  return { token: database.tokenFor(application), method: 'GET', path };
}
