import type { Knex } from 'knex';

/** All landlords, for operators and the service itself. */
export interface AllLandlords {
  readonly of: 'all landlords';
}

/** One landlord, and within it some of its API keys. */
export interface OneLandlord {
  readonly of: 'one landlord';
  readonly landlordId: string;
  /** The ids of the API keys whose applications, webhooks and results are visible. */
  readonly keyIds: readonly string[];
}

/** Ownership: whose things are found and changed. A parameter of every finder of the back office, so that a page without it does not compile. */
export type Scope = AllLandlords | OneLandlord;

export const ALL_LANDLORDS: AllLandlords = { of: 'all landlords' };

/** Restricts a query to a scope. @param column holds the id of the API key */
export function inScope(scope: Scope, column: string): (rows: Knex.QueryBuilder) => void {
  return (rows) => {
    if (scope.of === 'one landlord') rows.whereIn(column, scope.keyIds);
  };
}

/** Whether what belongs to an API key is in the scope. */
export function isInScope(scope: Scope, apiKeyId: string | null): boolean {
  return scope.of === 'all landlords' || (apiKeyId !== null && scope.keyIds.includes(apiKeyId));
}
