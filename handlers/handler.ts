import type { ReadForCaller } from '../db/connection/queries/key-reads.ts';
import type { operations } from '../generated/openapi.d.ts';
import type { Runtime } from '../jobs/runtime.ts';

/** The operations that callers send. Names that begin with `on` are events that the service sends. */
export type OperationId = Exclude<keyof operations, `on${Capitalize<string>}`>;

/** The authenticated API key. */
export interface Caller {
  apiKeyId: string;
  /** Whether the landlord wants leads to get a mail. */
  mailsLead?: boolean;
}

/** What a handler may use. It never sees the HTTP request or response. */
export interface Context
  extends Pick<
    Runtime,
    | 'db'
    | 'queue'
    | 'providers'
    | 'keys'
    | 'publicUrl'
    | 'flowLifetimeMs'
    | 'invitationLifetimeMs'
    | 'addresses'
    | 'limits'
  > {
  caller: Caller;
  /** The time of the request, captured once. */
  now: Date;
}

type JsonOf<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : undefined;
type PresentOr<Part, Fallback> = [Part] extends [never] ? Fallback : Part;
type Parameters<Op extends OperationId, In extends 'path' | 'query'> = PresentOr<
  NonNullable<operations[Op]['parameters'][In]>,
  Record<never, never>
>;

/** An operation's parameters and body, validated against the contract. */
export interface Request<Op extends OperationId> {
  params: Parameters<Op, 'path'>;
  query: Parameters<Op, 'query'>;
  body: JsonOf<operations[Op]['requestBody']>;
}

/** The part of the declared success body that an operation decides; `bind` adds the `status`. */
export type Answer<Op extends OperationId> = Promise<Omit<JsonOf<operations[Op]['responses'][200]>, 'status'>>;

/**
 * An operation of the contract. Failures are thrown as the errors of `core/errors.ts`. Write the return type out, `async (...):
 * Answer<'operationId'> => ...`: only then does the compiler reject fields that the contract does not declare.
 */
export type Handler<Op extends OperationId> = (request: Request<Op>, ctx: Context) => Answer<Op>;

/** What a reader may use: nothing through which it could have an effect. */
export interface ReadContext extends Pick<Context, 'now'> {
  read: ReadForCaller;
}

/**
 * A handler without an effect. It runs before its API key is looked up, and reads its row in one statement with the key. Some operations with the
 * method GET have an effect, and are not readers.
 */
export type Reader<Op extends OperationId> = (request: Request<Op>, ctx: ReadContext) => Answer<Op>;

/** Exactly one handler per operation of the contract that is not a reader. */
export type Handlers<Readers> = { [Op in Exclude<OperationId, keyof Readers>]: Handler<Op> };
