/** Names the server's pooler, in a run through it. */
export const POOLER = 'TEST_POOLER_URL';

/** The settings of a program under test: in a run through a pooler (TEST_POOLER=pgbouncer), with the address of that for a database of the run. */
export function throughPooler<Env extends Record<string, string>>(
  env: Env,
): Env | (Env & { DATABASE_SESSION_URL: string }) {
  const [pooler, server, url] = [process.env[POOLER], process.env['TEST_POSTGRES_URL'], env['DATABASE_URL']];
  if (!pooler || !server || !url?.startsWith(`${server}/`) || 'DATABASE_SESSION_URL' in env) return env;
  return { ...env, DATABASE_URL: `${pooler}${url.slice(server.length)}`, DATABASE_SESSION_URL: url };
}
