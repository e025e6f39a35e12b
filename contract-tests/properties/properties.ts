import { operations } from '../../harness/contract/contract.ts';
import { refusesBrokenBodies, refusesBrokenParameters, refusesSpoiltBytes } from './broken.ts';
import { chainProperty } from './chains.ts';
import { lifeProperty } from './life.ts';
import type { Property } from './property.ts';
import { refusesBadCredentials } from './unauthorised.ts';
import { acceptsWhatIsValid, findsNothingUnderOtherNames, hidesWhatBelongsToOthers } from './valid.ts';

/** Properties whose cases are sequential requests only. */
export const inOrder: Property[] = [
  ...operations.flatMap((operation) => [
    acceptsWhatIsValid(operation),
    ...hidesWhatBelongsToOthers(operation),
    ...findsNothingUnderOtherNames(operation),
    ...refusesBrokenBodies(operation),
    ...refusesSpoiltBytes(operation),
    ...refusesBrokenParameters(operation),
    refusesBadCredentials(operation),
  ]),
  chainProperty,
];

/** All properties of every operation, derived from the contract. New operations and fields are included automatically. */
export const properties: Property[] = [...inOrder, lifeProperty];
