import { Conflict, NotFound } from '../../core/errors.ts';
import {
  findActiveParticipant,
  lockAnyApplication,
  type ParticipantRow,
  transferLead,
} from '../../db/applications/applications.ts';
import { recordPayment } from '../../db/applications/payments.ts';
import { addTenant, findTenantByIdOrEmail, setProfile } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { invitationPath, onboardingPath, submit } from '../../harness/service/links.ts';
import { type Answer, noteConsent } from '../../jobs/invitations/consent.ts';
import { answerWithout, find, type Life, type Person } from './life-model.ts';
import type { Scene } from './life-scene.ts';
import { type Step, step } from './life-steps.ts';

/** Steps without an operation: people's actions on our pages, and operators' actions on the command line. */

const ONBOARDING_MS = 20 * 86_400_000;
const GUESSED = '/invitation/guessed';

export function answerByLink(which: number, name: string, consent: Answer): Step {
  return step(`${name} of ${which} answers ${consent}`, async (scene) => {
    const [id, email] = [scene.application(which), scene.address(name)];
    const path = await invitationPath(scene.world.test, id, email).catch(() => GUESSED);
    const fields = { answer: consent === 'accepted' ? 'accept' : 'decline' };
    return {
      act: () => scene.page(submit(scene.world.test, path, fields)),
      expected: (life) => {
        const [application, person] = find(life, id, email) ?? [];
        if (path === GUESSED) return 404;
        if (!application || !person)
          return answerWithout(
            life,
            id,
            (removed, now) => removed.email.toLowerCase() === email.toLowerCase() && now < (removed.invitedUntil ?? 0),
          );
        if (person.consent === 'pending' && life.now < (person.invitedUntil ?? 0)) {
          take(life, person, consent);
          application.updatedAt = life.now;
        }
        return 303;
      },
    };
  });
}

export function noteAnswer(which: number, name: string, consent: Answer): Step {
  return step(`it is noted that ${name} of ${which} is ${consent}`, (scene) => {
    const [id, email] = [scene.application(which), scene.address(name)];
    return {
      act: () => operate(scene, id, email, (trx, person, now) => noteConsent(trx, person, consent, now)),
      expected: (life) => {
        const [application, person] = find(life, id, email) ?? [];
        if (!application || !person) return 'absent';
        if (person.consent === consent) return false;
        take(life, person, consent);
        application.updatedAt = life.now;
        return true;
      },
    };
  });
}

export function transfer(which: number, name: string): Step {
  return step(`the lead of ${which} goes to ${name}`, (scene) => {
    const [id, email] = [scene.application(which), scene.address(name)];
    return {
      act: () => operate(scene, id, email, transferLead),
      expected: (life) => {
        const [application, person] = find(life, id, email) ?? [];
        if (!application || !person) return 'absent';
        if (person.isLead) return false;
        if (person.consent === 'rejected') return 'refused';
        for (const other of application.people) other.isLead = other === person;
        application.updatedAt = life.now;
        return true;
      },
    };
  });
}

export function openLink(which: number, name: string): Step {
  return step(`a link to onboard ${name} of ${which}`, (scene) => {
    const [applicationId, email] = [scene.application(which), scene.address(name)];
    return {
      act: async () => {
        const made = onboardingPath(scene.world.test, applicationId, email, ONBOARDING_MS);
        const path = await made.catch(refusalOf);
        if (path.startsWith('/')) scene.links.push({ path, applicationId, email });
        return path;
      },
      expected: (life, path: string) => {
        const [, person] = find(life, applicationId, email) ?? [];
        if (!person) return 'absent';
        if (person.consent === 'rejected') return 'refused';
        for (const former of person.onboarding) former.until = Math.min(former.until, life.now);
        person.onboarding.push({ path, until: life.now + ONBOARDING_MS, isUsed: false });
        return path.startsWith('/') ? path : 'a link';
      },
    };
  });
}

export function useLink(which: number, name: string, answer: Answer): Step {
  return step(`the onboarding link ${which} is used by ${name}, who is ${answer}`, (scene) => {
    const link = scene.links[which % Math.max(scene.links.length, 1)];
    const { path, applicationId, email } = link ?? { path: '/onboarding/guessed', applicationId: '', email: '' };
    return {
      act: () =>
        scene.page(submit(scene.world.test, path, { name, answer: answer === 'accepted' ? 'accept' : 'decline' })),
      expected: (life) => {
        const [application, person] = find(life, applicationId, email) ?? [];
        const kept = person?.onboarding.find((candidate) => candidate.path === path);
        if (!application || !person || !kept)
          return answerWithout(life, applicationId, ({ onboarding }, now) =>
            onboarding.some((former) => former.path === path && now < former.until),
          );
        if (kept.isUsed || kept.until <= life.now || person.consent === 'rejected') return 303;
        if (person.consent === 'pending') {
          take(life, person, answer);
          application.updatedAt = life.now;
        }
        if (answer === 'rejected') return 303;
        kept.isUsed = true;
        life.accounts[email.toLowerCase()] = { completedAt: life.now, outdatedAt: undefined };
        if (person.name === '') {
          person.name = name;
          application.updatedAt = life.now;
        }
        return 303;
      },
    };
  });
}

export function openAccount(name: string): Step {
  return step(`an account for ${name}`, (scene) => {
    const email = scene.address(name);
    const { db } = scene.world.test.service.runtime;
    return {
      act: async () => (await db.transaction((trx) => addTenant(trx, { email, name }, scene.world.clock()))).created,
      expected: ({ accounts }) => {
        const isNew = !accounts[email.toLowerCase()];
        accounts[email.toLowerCase()] ??= { completedAt: undefined, outdatedAt: undefined };
        return isNew;
      },
    };
  });
}

/** @param outdatedAfterMs only with COMPLETED */
export function setState(name: string, state: 'COMPLETED' | 'PENDING' | 'OUTDATED', outdatedAfterMs: number): Step {
  return step(`the profile of ${name} is ${state}`, (scene) => {
    const email = scene.address(name);
    const { db } = scene.world.test.service.runtime;
    return {
      act: async () => {
        const tenant = await findTenantByIdOrEmail(db, email);
        if (!tenant) return 'absent';
        const now = scene.world.clock();
        const outdatedFrom = state === 'COMPLETED' ? new Date(now.getTime() + outdatedAfterMs) : undefined;
        await setProfile(db, tenant.id, state, now, outdatedFrom);
        return 'set';
      },
      expected: ({ accounts, now }) => {
        const account = accounts[email.toLowerCase()];
        if (!account) return 'absent';
        const completedAt = state === 'OUTDATED' ? (account.completedAt ?? now) : now;
        accounts[email.toLowerCase()] = {
          completedAt: state === 'PENDING' ? undefined : completedAt,
          outdatedAt: { COMPLETED: now + outdatedAfterMs, PENDING: undefined, OUTDATED: now }[state],
        };
        return 'set';
      },
    };
  });
}

export function pay(which: number, name: string, isProtected: boolean): Step {
  return step(`a payment of ${name} of ${which}`, (scene) => {
    const input = { applicationId: scene.application(which), email: scene.address(name), amount: 1, isProtected };
    const { db } = scene.world.test.service.runtime;
    return {
      act: () =>
        db.transaction((trx) => recordPayment(trx, input, scene.world.clock())).then(() => 'recorded', refusalOf),
      expected: (life) => {
        const [, person] = find(life, input.applicationId, input.email) ?? [];
        person?.payments.push(isProtected);
        return person ? 'recorded' : 'absent';
      },
    };
  });
}

/** Declining invalidates the onboarding links too. */
function take(life: Life, person: Person, answer: Answer): void {
  person.consent = answer;
  if (answer === 'rejected') for (const link of person.onboarding) link.until = Math.min(link.until, life.now);
}

/** An operator's change of a participant, as the command line makes it. */
function operate<Result>(
  { world }: Scene,
  applicationId: string,
  email: string,
  work: (trx: Transaction, participant: ParticipantRow, now: Date) => Promise<Result>,
): Promise<Result | string> {
  return world.test.service.runtime.db
    .transaction(async (trx) => {
      await lockAnyApplication(trx, applicationId);
      return work(trx, await findActiveParticipant(trx, applicationId, email), world.clock());
    })
    .catch(refusalOf);
}

function refusalOf(error: unknown): string {
  if (error instanceof NotFound) return 'absent';
  if (error instanceof Conflict) return 'refused';
  throw error;
}
