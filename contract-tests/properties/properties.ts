import { type ContractOperation, operations } from '../../harness/contract/contract.ts';
import { refusesBrokenBodies, refusesBrokenParameters, refusesSpoiltBytes } from './broken.ts';
import { chainProperty } from './chains.ts';
import { lifeProperty } from './life.ts';
import type { Property } from './property.ts';
import { refusesBadCredentials } from './unauthorised.ts';
import { acceptsWhatIsValid, findsNothingUnderOtherNames, hidesWhatBelongsToOthers } from './valid.ts';

/** The edge refuses their requests before any query. */
const refusals = new Map(
  operations.map((operation) => [
    operation,
    [...refusesBrokenBodies(operation), ...refusesSpoiltBytes(operation), ...refusesBrokenParameters(operation)],
  ]),
);
const refusalsOf = (operation: ContractOperation) => refusals.get(operation) ?? [];

/** Properties whose cases are sequential requests only. */
export const inOrder: Property[] = [
  ...operations.flatMap((operation) => [
    acceptsWhatIsValid(operation),
    ...hidesWhatBelongsToOthers(operation),
    ...findsNothingUnderOtherNames(operation),
    ...refusalsOf(operation),
    refusesBadCredentials(operation),
  ]),
  chainProperty,
];

/** All properties of every operation, derived from the contract. New operations and fields are included automatically. */
export const properties: Property[] = [...inOrder, lifeProperty];

/** Whether its requests reach the database, so that the dialect may decide the outcome. */
export function needsDatabase(property: Property): boolean {
  return ![...refusals.values()].flat().includes(property);
}
