import { isDeepStrictEqual } from 'node:util';
import type { Input } from '../../harness/service/client.ts';
import { type Application, find, findSame, type Life, type Person, summaryOf, viewOf } from './life-model.ts';
import type { Scene, Told } from './life-scene.ts';

/** An observed step. `fits` applies it and returns whether the model allows it. */
export interface Happened {
  told: string;
  fits(life: Life): boolean;
}

/** A person's action. Looks everything up before any other step is in progress. */
export interface Step {
  name: string;
  prepare(scene: Scene): Promise<() => Promise<Happened>>;
}

/** @param prepare returns the action, and the events that must follow */
export function step<Answer>(name: string, prepare: (scene: Scene) => Promise<Doing<Answer>> | Doing<Answer>): Step {
  return {
    name,
    prepare: async (scene) => {
      const { act, expected } = await prepare(scene);
      return () =>
        act().then(
          (told) => ({
            told: `${name}: ${JSON.stringify(told)}`,
            fits: (life) => isDeepStrictEqual(told, expected(life, told)),
          }),
          (error: unknown) => ({ told: `${name} failed: ${error}`, fits: () => false }),
        );
    },
  };
}

interface Doing<Answer> {
  act(): Promise<Answer>;
  /** Runs the step. */
  expected(life: Life, told: Answer): unknown;
}

export function create(title: string, names: string[], lead: number): Step {
  return step(`create with ${names}, led by ${names[lead]}`, (scene) => {
    const emails = names.map((name) => scene.address(name));
    const tenants = emails.map((email, index) => ({ email, is_lead: index === lead }));
    return {
      act: async () => {
        const told = await scene.call('createApplication', { body: { title, tenants } });
        const { application_id } = Object(told.data);
        if (!scene.ids.includes(application_id)) scene.ids.push(application_id);
        return told;
      },
      expected: (life, { data }) => {
        const existing = findSame(life, emails);
        if (existing)
          return answer('An application with these tenants already exists; no one was invited again.', {
            application_id: existing.id,
            title: existing.title,
          });
        const { application_id: id } = Object(data);
        if (life.applications.some((application) => application.id === id)) return 'a new application';
        const people = tenants.map(({ email, is_lead }): Person => {
          const invitedUntil = is_lead ? undefined : life.now + scene.invitationMs;
          const common = { name: '', isGuarantor: false, consent: 'pending' as const, onboarding: [], payments: [] };
          return { email, isLead: is_lead, invitedUntil, ...common };
        });
        life.applications.push({ id, title, people, removed: [], createdAt: life.now, updatedAt: life.now });
        return answer('Application created.', { application_id: id, title });
      },
    };
  });
}

export function update(which: number, name: string, body: NonNullable<Input<'updateParticipant'>['body']>): Step {
  return step(`update ${name} of ${which} with ${JSON.stringify(body)}`, (scene) => {
    const params = { applicationId: scene.application(which), email: scene.address(name) };
    return {
      act: () => scene.call('updateParticipant', { params, body }),
      expected: (life) =>
        ofSomebody(life, params, (application, person) => {
          const next = { name: body.name ?? person.name, isGuarantor: body.is_guarantor ?? person.isGuarantor };
          const isChanged = next.name !== person.name || next.isGuarantor !== person.isGuarantor;
          Object.assign(person, next);
          if (isChanged) application.updatedAt = life.now;
          return answer('Participant updated.', viewOf(life, application));
        }),
    };
  });
}

export function remove(which: number, name: string): Step {
  return step(`remove ${name} of ${which}`, (scene) => {
    const params = { applicationId: scene.application(which), email: scene.address(name) };
    return {
      act: () => scene.call('removeParticipant', { params }),
      expected: (life) =>
        ofSomebody(life, params, (application, person) => {
          if (person.isLead)
            return refusal(409, 'The lead cannot be removed; another participant must become the lead first.');
          application.people = application.people.filter((other) => other !== person);
          application.removed.push(person);
          application.updatedAt = life.now;
          const view = viewOf(life, application);
          if (person.payments.length === 0) return answer('Participant removed.', view);
          const warnings = { service_protect_affected: person.payments.includes(true) };
          return answer('Participant removed; a pending payment was affected.', { ...view, warnings });
        }),
    };
  });
}

/** Everything visible of an application. */
export function look(applicationId: string): Step[] {
  const get = step(`get ${applicationId}`, (scene) => ({
    act: () => scene.call('getApplication', { params: { applicationId } }),
    expected: (life) => {
      const application = life.applications.find(({ id }) => id === applicationId);
      return application && answer('Application found.', summaryOf(life, application));
    },
  }));
  // Only the answer to an update shows roles, so it sends an empty update.
  const roles = step(`see the roles of ${applicationId}`, (scene) => ({
    act: async () => {
      const { data } = await scene.call('getApplication', { params: { applicationId } });
      const [{ email }] = Object(data).participants;
      return scene.call('updateParticipant', { params: { applicationId, email }, body: {} });
    },
    expected: (life) => {
      const application = life.applications.find(({ id }) => id === applicationId);
      if (application?.people.filter(({ isLead }) => isLead).length !== 1) return 'one lead';
      return answer('Participant updated.', viewOf(life, application));
    },
  }));
  return [get, roles];
}

function ofSomebody(
  life: Life,
  { applicationId, email }: { applicationId: string; email: string },
  then: (application: Application, person: Person) => Told,
): Told {
  const found = find(life, applicationId, email);
  if (found) return then(...found);
  const isThere = life.applications.some(({ id }) => id === applicationId);
  return refusal(404, isThere ? 'Participant not found.' : 'Application not found.');
}

function answer(message: string, data: unknown): Told {
  return { status: 200, message, data };
}

function refusal(status: number, message: string): Told {
  return { status, message, data: undefined };
}
