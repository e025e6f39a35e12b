import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { fingerprint, keyRing } from '../../core/secrets/key-ring.ts';
import { tokenKeys } from '../../core/secrets/token-keys.ts';
import { issueToken, TOKEN_PARTIES } from '../../core/secrets/tokens.ts';
import { databases, dialect, isNightly } from '../../harness/database/dialect.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { NEW, OLD, STRANGE } from '../../harness/service/rotation.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const ringOf = (...keys: string[]) => {
  const [current = Buffer.alloc(0), ...former] = keys.map((key) => Buffer.from(key, 'base64'));
  return tokenKeys(keyRing(current, former));
};
const withTokenKeys = (current: string, ...former: string[]) => ({
  TOKEN_KEY: current,
  ...(former.length > 0 ? { FORMER_TOKEN_KEYS: former.join(',') } : {}),
});
const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid;
const TOKENS_USED = 8;
const ROUNDS = 6;

describe('rotating TOKEN_KEY', () => {
  const test = useService({ ...withTokenKeys(NEW, OLD), RUN_WORKERS: 'false' });

  const statusAt = async (url: string, token: string) => {
    const client = new Client(url, test.alice.clientId, test.alice.clientSecret);
    client.token = token;
    return (await client.call('listWorkspaces')).status;
  };
  const apiKeyId = async () => {
    const row = await test.service.runtime.db('api_keys').where({ client_id: test.alice.clientId }).first('id');
    return row?.id ?? '';
  };

  it('signs with the current key only, named in the token; former keys verify their tokens, others do not', async () => {
    const { url } = test.service;
    const [id, now] = [await apiKeyId(), new Date()];
    const [newKey, oldKey] = ringOf(NEW, OLD);
    expect(kidOf(await test.alice.authenticate()))
      .to.equal(newKey.id)
      .and.match(/^[0-9a-f]{8}$/);
    for (const ring of [ringOf(OLD), ringOf(NEW)]) expect(await statusAt(url, issueToken(id, ring, now))).to.equal(200);
    const claims = { ...TOKEN_PARTIES, sub: id };
    const sign = { algorithm: 'HS256', expiresIn: 3600 } as const;
    for (const token of [
      issueToken(id, ringOf(STRANGE), now),
      jwt.sign(claims, newKey.key, { ...sign, keyid: oldKey?.id ?? '' }),
      jwt.sign(claims, oldKey?.key ?? newKey.key, { ...sign, keyid: newKey.id }),
      jwt.sign(claims, newKey.key, { ...sign, keyid: ringOf(STRANGE)[0].id }),
    ])
      expect(await statusAt(url, token)).to.equal(401);
  });

  it('names a token key differently from an encryption key with the same bytes', () => {
    for (const key of [NEW, OLD])
      expect(ringOf(key)[0].id).to.not.equal(fingerprint(Buffer.from(key, 'base64'), 'encryption'));
  });

  // Eight or more starts of a process.
  if (dialect === 'postgres' && isNightly)
    it('refuses no request while two processes are restarted one after the other', async () => {
      const env = { ...new Admin(test).env, RUN_WORKERS: 'false' };
      const start = (keys: string[]) => {
        const [current = '', ...former] = keys;
        return startServiceProcess({ ...env, ...withTokenKeys(current, ...former) });
      };
      const processes: ServiceProcess[] = await Promise.all([start([OLD]), start([OLD])]);
      const open = new Set(processes);
      let [tokens, asked, isOver]: [string[], number, boolean] = [[], 0, false];
      const statuses = new Map<number, number>();
      const note = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
      /** Requests a token from each running process, and uses it and all earlier ones on each. */
      const goOn = async () => {
        while (!isOver)
          for (const issuer of open)
            try {
              const client = new Client(issuer.url, test.alice.clientId, test.alice.clientSecret);
              tokens.push(await client.authenticate());
              for (const { url } of open)
                for (const token of [...tokens.slice(0, TOKENS_USED), ...tokens.slice(-TOKENS_USED)])
                  note(await statusAt(url, token));
              asked++;
            } catch (error) {
              // A draining process closes its connections.
              if (!(error instanceof Error && 'code' in error)) throw error;
            }
      };
      const someRounds = async () => {
        const before = asked;
        await until('each was asked with tokens of the other', () => asked >= before + ROUNDS || isOver);
      };
      const restartAll = async (keys: string[]) => {
        for (const [place, running] of processes.entries()) {
          const before = asked;
          open.delete(running);
          expect(await running.stop()).to.equal(0);
          const started = await start(keys);
          processes[place] = started;
          open.add(started);
          expect(asked, 'requests went on').to.be.above(before);
          await someRounds();
        }
      };
      const going = goOn().finally(() => {
        isOver = true;
      });
      try {
        await someRounds();
        await restartAll([OLD, NEW]);
        await restartAll([NEW, OLD]);
        // An hour later, the old key's tokens have expired.
        const newKid = ringOf(NEW)[0].id;
        const retired = tokens.filter((token) => kidOf(token) !== newKid);
        expect(retired.map(kidOf)).to.include(ringOf(OLD)[0].id);
        tokens = [issueToken(await apiKeyId(), ringOf(NEW), new Date())];
        await restartAll([NEW]);
        isOver = true;
        await going;
        expect([...statuses.keys()]).to.deep.equal([200]);
        for (const { url } of processes) {
          expect(await statusAt(url, tokens.at(-1) ?? '')).to.equal(200);
          expect(await statusAt(url, retired.at(-1) ?? '')).to.equal(401);
        }
      } finally {
        isOver = true;
        await going.catch(() => {});
        for (const { kill } of processes) await kill();
      }
    });
});
