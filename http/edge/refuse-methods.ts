import type { RequestHandler } from 'express';
import { MethodNotAllowed } from '../../core/errors.ts';

/** What answers the methods that an address outside the contract does not have. @param allow as the header has it */
export function refuseMethods(allow: string): RequestHandler {
  return () => {
    throw new MethodNotAllowed(allow);
  };
}
