import type { Config } from '../../core/settings/config.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import type { Duty } from '../../queue/leader.ts';

interface Started {
  duties: readonly Duty[];
  stop(): void;
}

/** Without OPERATOR_MAIL, its modules are not even loaded. */
export async function startOperatorMails(config: Config, runtime: Runtime): Promise<Started | undefined> {
  const { operator } = config.mail;
  if (operator === undefined) return undefined;
  const [{ OperatorMails, MAILS_MS }, { watchOwn }] = await Promise.all([
    import('../../jobs/conditions/operator-mails.ts'),
    import('./own-conditions.ts'),
  ]);
  const watch = watchOwn(config, runtime, { loops: undefined, stopping: undefined });
  const mails = new OperatorMails(runtime, watch, operator);
  const report = () => mails.reportSilence().catch((err) => runtime.log.warn({ err }, 'operator not mailed'));
  const timer = setInterval(report, MAILS_MS).unref();
  return {
    duties: [{ name: 'mail the operator', everyMs: MAILS_MS, work: () => mails.lead() }],
    stop: () => clearInterval(timer),
  };
}
