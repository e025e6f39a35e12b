import { type ContractOperation, operationById } from '../../harness/contract/contract.ts';
import { samples } from '../edge/requests.ts';
import { callOf, usual } from '../properties/asked.ts';
import type { Call } from '../properties/curl.ts';
import type { Caller, World } from '../properties/world.ts';

/** A request that succeeds at least the first time. */
export interface GoodCall {
  operation: ContractOperation;
  call: Call;
  caller: Caller;
  /** Path and query parameters. */
  values: Record<string, string>;
  body: unknown;
}

/** One for each operation, each with its own API key. */
export async function* goodCalls(world: World): AsyncGenerator<GoodCall> {
  for (const { operation, body } of samples(world.stage)) {
    const caller = await world.caller();
    const values = { ...world.stage, ...(await applicationOf(world, caller, ['guest@mail.example'])) };
    const call = callOf(operation, { parameters: values, body, spelling: usual }, values, caller);
    yield { operation, call, caller, values, body };
  }
}

/** Requests whose second answer depends on the effect of the first. */
export async function* eachTwice(world: World): AsyncGenerator<Call> {
  for await (const { call } of goodCalls(world)) for (let time = 0; time < 2; time++) yield call;
}

/** Creates an application of the caller that the stage's tenant leads. */
export async function applicationOf(
  world: World,
  caller: Caller,
  guests: string[],
): Promise<{ applicationId: string; email: string }> {
  const people = [world.stage.lead, ...guests].map((email, index) => ({ email, is_lead: index === 0 }));
  const { answer } = await world.send(
    callOf(
      operationById('createApplication'),
      { parameters: {}, body: { title: 'Flat', tenants: people }, spelling: usual },
      {},
      caller,
    ),
  );
  return { applicationId: JSON.parse(answer.text).data.application_id, email: guests[0] ?? world.stage.lead };
}

export function withHeader({ headers, ...call }: Call, name: string, ...values: string[]): Call {
  const others = headers.filter(([known]) => known !== name);
  return { ...call, headers: [...others, ...values.map((value): [string, string] => [name, value])] };
}

/** Percent-encodes every byte. @param digits upper or lower case */
export function escaped(text: string, digits: (hex: string) => string = (hex) => hex): string {
  return [...Buffer.from(text)].map((byte) => `%${digits(byte.toString(16))}`).join('');
}
