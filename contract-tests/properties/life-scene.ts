import { issueToken } from '../../core/secrets/tokens.ts';
import type { OperationId } from '../../handlers/handler.ts';
import { Client, type Input, type RawAnswer } from '../../harness/service/client.ts';
import type { Caller, World } from './world.ts';

/** The comparable part of an answer, with placeholders for account ids. */
export interface Told {
  status: number;
  message: string;
  data: unknown;
}

/** One case: its own API key and its own people. */
export class Scene {
  readonly world: World;
  /** The existing applications, in order of discovery. */
  ids: string[] = [];
  /** The onboarding links that were made. */
  links: { path: string; applicationId: string; email: string }[] = [];
  private readonly caller: Caller;
  private readonly client: Client;
  private readonly suffix: string;
  private readonly accountIds = new Map<string, string>();

  constructor(world: World, caller: Caller) {
    this.world = world;
    this.caller = caller;
    this.suffix = `${caller.clientId.slice(-8)}@mail.example`;
    this.client = new Client(world.test.service.url, caller.clientId, caller.clientSecret);
    this.pass(1);
  }

  /** The clock stands still during concurrent steps. */
  pass(milliseconds: number): number {
    this.world.pass(milliseconds);
    // A case may span months, but a token lasts an hour.
    this.client.token = issueToken(
      this.caller.apiKeyId,
      this.world.test.service.runtime.keys.token,
      this.world.clock(),
    );
    return this.world.clock().getTime();
  }

  get invitationMs(): number {
    return this.world.test.service.runtime.invitationLifetimeMs;
  }

  address(name: string): string {
    return `${name}-${this.suffix}`;
  }

  /** An existing application, or none. */
  application(which: number): string {
    return this.ids[which % Math.max(this.ids.length, 1)] ?? 'absent';
  }

  async call<Op extends OperationId>(operation: Op, input: Input<Op>): Promise<Told> {
    this.world.requests++;
    const { status, text } = await this.client.call(operation, input);
    const { message, data } = JSON.parse(text);
    return { status, message, data: this.withoutIds(data) };
  }

  /** A request for a page; its result is its status. */
  async page(asked: Promise<RawAnswer>): Promise<number> {
    this.world.requests++;
    return (await asked).status;
  }

  /** Checks that an account keeps its id; the model does not know the id. */
  private withoutIds(data: unknown): unknown {
    const { participants } = Object(data);
    if (!Array.isArray(participants)) return data;
    return { ...Object(data), participants: participants.map((person) => ({ ...person, id: this.accountOf(person) })) };
  }

  private accountOf({ email, id }: { email: string; id: string | null }): string | null {
    if (id === null) return null;
    const known = this.accountIds.get(email.toLowerCase()) ?? id;
    this.accountIds.set(email.toLowerCase(), known);
    return known === id ? 'account' : `another account than ${known}`;
  }
}
