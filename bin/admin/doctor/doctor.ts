import { styleText } from 'node:util';
import type { Command } from 'commander';
import stringWidth from 'string-width';
import { type Config, readConfig } from '../../../core/settings/config.ts';
import { ConfigError } from '../../../core/settings/config-error.ts';
import { wrapped } from '../../../core/text.ts';
import { type Finding, ok, problem } from '../../../jobs/upkeep/finding.ts';
import { plain } from '../cli/output.ts';
import { example, standalone } from '../cli/run-command.ts';
import { terminalWidth } from '../cli/terminal.ts';
import { examineDatabase } from './database.ts';
import { reasonOf } from './finding.ts';
import { examineProviders } from './providers.ts';
import { examineSurroundings } from './surroundings.ts';

const NOTES = `
It changes nothing, except that it stores and removes a few bytes among the
documents. It also contacts the mail server and the providers. Run it with the
service's settings, whether the service runs or not.

Exit codes: 0 no problem, though there may be warnings; 1 there is a problem.`;

export function makeDoctorCommand(doctor: Command): void {
  doctor.addHelpText('after', NOTES).addHelpText('after', example('doctor', 'doctor --json')).action(examineAll);
}

const examineAll = standalone(async () => {
  const { config, findings } = readSettings();
  if (config) {
    findings.push(...(await examineDatabase(config, new Date())));
    findings.push(...(await examineProviders(config)));
    findings.push(...(await examineSurroundings(config)));
  }
  const hasProblem = findings.some(({ state }) => state === 'problem');
  const json = findings.map(({ check, state, found, advice }) => ({ check, state, found, advice: advice ?? null }));
  return { json, text: reportText(findings), ...(hasProblem ? { exitCode: 1 as const } : {}) };
});

/** Nothing else is checked without valid settings. */
function readSettings(): { config: Config | undefined; findings: Finding[] } {
  try {
    const config = readConfig(process.env);
    const words = config.mode === 'live' ? 'live' : 'sandbox, where providers may be simulated';
    return { config, findings: [{ check: 'settings', ...ok(`They are valid. The mode is ${words}.`) }] };
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults : [reasonOf(error)];
    const advice = 'Correct it in the environment of the service. Nothing else was checked.';
    return { config: undefined, findings: faults.map((fault) => ({ check: 'settings', ...problem(fault, advice) })) };
  }
}

const MARKS = { ok: 'OK', warning: 'WARNING', problem: 'PROBLEM' } as const;
const WIDEST_MARK = MARKS.warning.length;
const COLOURS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

function reportText(findings: readonly Finding[]): string {
  const widest = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(WIDEST_MARK + 2 + widest + 2);
  const lines = findings.map(({ check, state, found, advice = '' }) => {
    const head = `${styleText(COLOURS[state], MARKS[state].padEnd(WIDEST_MARK))}  ${styleText('bold', check.padEnd(widest))}`;
    const words = [found, advice]
      .filter(Boolean)
      .flatMap((text) => wrapped(plain(text), terminalWidth() - indent.length, stringWidth));
    return `${head}  ${words.join(`\n${indent}`)}`;
  });
  return [...lines, '', verdictOn(findings)].join('\n');
}

function verdictOn(findings: readonly Finding[]): string {
  const words = ['problem', 'warning'].flatMap((state) => {
    const count = findings.filter((finding) => finding.state === state).length;
    return count > 0 ? [`${count} ${state}${count === 1 ? '' : 's'}`] : [];
  });
  return words.length === 0 ? 'No problems found.' : `Found: ${words.join(' and ')}.`;
}
