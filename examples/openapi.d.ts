/** The contract's types: what openapi-typescript writes beside the program. */
export type * from '../generated/openapi.d.ts';
