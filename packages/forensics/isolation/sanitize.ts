import { type Fingerprint, type Glance, LOOKS, type Preview } from '../analysis.ts';
import {
  CLAIM_KINDS,
  type Claim,
  type ClaimKind,
  MAX_CLAIMS,
  MAX_PAPERS,
  PAPER_KINDS,
  PAY_FREQUENCIES,
  type Paper,
} from '../claims.ts';
import { THUMBNAIL_SIDE } from '../glance/thumbnail.ts';
import type { Box, Pixels } from '../model.ts';
import type { Check, CheckFinding } from '../result.ts';
import type { Evidence } from '../rule.ts';
import { type Fields, fieldsOf, listOf, numberOf, oneOf, textOf } from './fields.ts';
import { type Frame, Malformed } from './frames.ts';
import type { PlannedCheck, WorkerFacts, WorkerMessage } from './protocol.ts';

/**
 * Rebuilds a worker's messages from an allow-list of fields: a worker compromised by a document can lie, but do nothing else. Texts and
 * lists are truncated to what a result may hold.
 */

const SHORT = 200;
const LONG = 1_000;
/** A value before or after a change. */
const VALUE = 500;
const CHECKS = 200;
const FINDINGS = 20;
const PLACES = 20;
const DETAILS = 30;
const FINGERPRINTS = 3;
const SHEETS = 200;
const MAX_SHEET = 999;
/** The longest side of a picture that was scaled down. */
const SCALED_SIDE = 1_000;
const KINDS = ['pdf', 'jpeg', 'png'] as const;
const STRENGTHS = ['strong', 'medium', 'context'] as const;
const FAMILIES = ['structure', 'content', 'image'] as const;
const STATUSES = ['passed', 'finding', 'not_applicable', 'unreadable', 'error'] as const;
const OBSTACLES = ['encrypted', 'damaged', 'harmful'] as const;
const FINGERPRINT_KINDS = ['origin', 'figures'] as const;

/** @throws Malformed */
export function sanitizeMessage({ header, body }: Frame): WorkerMessage {
  const fields = fieldsOf(header);
  const is = oneOf(
    ['ready', 'opened', 'inspected', 'glanced', 'check', 'examined', 'preview', 'scaled', 'end'] as const,
    fields.get('is'),
  );
  switch (is) {
    case 'ready':
      return { is, planned: listOf(fields.get('planned'), CHECKS).map((one) => plannedOf(fieldsOf(one))) };
    case 'opened': {
      const facts = factsOf(fieldsOf(fields.get('facts')));
      return fields.has('unreadable')
        ? { is, facts, unreadable: textOf(fields.get('unreadable'), LONG) }
        : { is, facts };
    }
    case 'inspected':
      return fields.has('obstacle') ? { is, obstacle: oneOf(OBSTACLES, fields.get('obstacle')) } : { is };
    case 'glanced': {
      const glance = glanceOf(fieldsOf(fields.get('glance')));
      if (body.length === 0) return { is, glance };
      return { is, glance, thumbnail: pixelsIn(fields, body, { longest: THUMBNAIL_SIDE, channels: 3 }) };
    }
    case 'check':
      return { is, check: checkOf(fieldsOf(fields.get('check'))) };
    case 'examined':
      return {
        is,
        fingerprints: listOf(fields.get('fingerprints'), FINGERPRINTS).map(fingerprintOf),
        papers: listOf(fields.get('papers'), MAX_PAPERS).map((one) => paperOf(fieldsOf(one))),
      };
    case 'preview':
      return { is, preview: previewOf(fields, body) };
    case 'scaled':
      return { is, scaled: pixelsIn(fields, body, { longest: SCALED_SIDE, channels: 4 }) };
    default:
      return { is };
  }
}

function factsOf(fields: Fields): WorkerFacts {
  const facts: WorkerFacts = {};
  if (fields.has('kind')) facts.kind = oneOf(KINDS, fields.get('kind'));
  for (const key of ['pages', 'width', 'height'] as const) if (fields.has(key)) facts[key] = numberOf(fields.get(key));
  for (const key of ['producer', 'creator', 'created_at', 'modified_at'] as const)
    if (fields.has(key)) facts[key] = textOf(fields.get(key), SHORT);
  return facts;
}

function glanceOf(fields: Fields): Glance {
  const glance: Glance = {
    possible: listOf(fields.get('possible'), LOOKS.length).map((one) => oneOf(LOOKS, one)),
    numbers: listOf(fields.get('numbers'), SHEETS).map(sheetNumber),
    missing: listOf(fields.get('missing'), PLACES).map(sheetNumber),
    count: sheetNumber(fields.get('count')),
    isPicture: fields.get('isPicture') === true,
  };
  if (fields.has('look')) glance.look = oneOf(LOOKS, fields.get('look'));
  for (const key of ['day', 'expires'] as const)
    if (fields.has(key)) glance[key] = formed(textOf(fields.get(key), SHORT), DAY);
  return glance;
}

function sheetNumber(value: unknown): number {
  const number = numberOf(value);
  if (!Number.isInteger(number) || number < 1 || number > MAX_SHEET)
    throw new Malformed('A number of a page is wrong.');
  return number;
}

function pixelsIn(
  fields: Fields,
  data: Uint8Array,
  { longest, channels }: { longest: number; channels: number },
): Pixels {
  const [width, height] = [numberOf(fields.get('width')), numberOf(fields.get('height'))];
  const isSmall = [width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= longest);
  if (!isSmall || data.length !== width * height * channels) throw new Malformed('A picture has the wrong size.');
  return { width, height, data };
}

function plannedOf(fields: Fields): PlannedCheck {
  return { ...ruleOf(fields), substance: fields.get('substance') === true };
}

function ruleOf(fields: Fields): Omit<PlannedCheck, 'substance'> {
  return {
    rule: textOf(fields.get('rule'), SHORT),
    version: numberOf(fields.get('version')),
    title: textOf(fields.get('title'), SHORT),
    strength: oneOf(STRENGTHS, fields.get('strength')),
    family: oneOf(FAMILIES, fields.get('family')),
  };
}

function checkOf(fields: Fields): Check {
  const check: Check = { ...ruleOf(fields), status: oneOf(STATUSES, fields.get('status')) };
  if (fields.has('reason')) check.reason = textOf(fields.get('reason'), LONG);
  if (fields.has('compared')) check.compared = textOf(fields.get('compared'), SHORT);
  if (fields.has('findings')) check.findings = listOf(fields.get('findings'), FINDINGS).map(findingOf);
  return check;
}

function findingOf(value: unknown): CheckFinding {
  const fields = fieldsOf(value);
  const finding: CheckFinding = {
    message: textOf(fields.get('message'), LONG),
    strength: oneOf(STRENGTHS, fields.get('strength')),
    evidence: listOf(fields.get('evidence'), PLACES).map(evidenceOf),
  };
  if (fields.has('more')) finding.more = numberOf(fields.get('more'));
  return finding;
}

function evidenceOf(value: unknown): Evidence {
  const fields = fieldsOf(value);
  const evidence: Evidence = {};
  if (fields.has('page')) evidence.page = numberOf(fields.get('page'));
  if (fields.has('box')) evidence.box = boxOf(fieldsOf(fields.get('box')));
  for (const key of ['offset', 'length'] as const) if (fields.has(key)) evidence[key] = numberOf(fields.get(key));
  for (const key of ['before', 'after'] as const) if (fields.has(key)) evidence[key] = textOf(fields.get(key), VALUE);
  if (fields.has('details')) evidence.details = detailsOf(fieldsOf(fields.get('details')));
  return evidence;
}

function boxOf(fields: Fields): Box {
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((key) =>
    hundredths(numberOf(fields.get(key))),
  );
  return { x, y, width, height };
}

/** Finer coordinates are noise and lengthen the JSON. */
function hundredths(number: number): number {
  return Math.round(number * 100) / 100;
}

function detailsOf(fields: Fields): NonNullable<Evidence['details']> {
  const details = new Map<string, string | number | boolean>();
  for (const [name, value] of [...fields].slice(0, DETAILS)) {
    if (typeof value === 'boolean') details.set(name.slice(0, SHORT), value);
    else if (typeof value === 'number') details.set(name.slice(0, SHORT), numberOf(value));
    else details.set(name.slice(0, SHORT), textOf(value, VALUE));
  }
  return Object.fromEntries(details);
}

function fingerprintOf(value: unknown): Fingerprint {
  const fields = fieldsOf(value);
  const hex = textOf(fields.get('value'), 64);
  if (!/^[0-9a-f]{16,64}$/.test(hex)) throw new Malformed('A fingerprint is not hexadecimal.');
  return { kind: oneOf(FINGERPRINT_KINDS, fields.get('kind')), value: hex };
}

function paperOf(fields: Fields): Paper {
  return {
    kind: oneOf(PAPER_KINDS, fields.get('kind')),
    is_read: fields.get('is_read') === true,
    claims: listOf(fields.get('claims'), MAX_CLAIMS).map((one) => claimOf(fieldsOf(one))),
  };
}

/** Claims must have the format of their kind, because the comparison of documents computes with them outside the sandbox. */
const CENTS = /^-?\d{1,12}$/;
const DAY = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const CLAIM_FORMS: Partial<Record<ClaimKind, RegExp>> = {
  ...{
    net: CENTS,
    gross: CENTS,
    unusual: CENTS,
    year_to_date: CENTS,
    figure: CENTS,
    opening: CENTS,
    closing: CENTS,
    credit: CENTS,
  },
  ...{
    from: DAY,
    to: DAY,
    payday: DAY,
    joined: DAY,
    frequency: new RegExp(`^(?:${PAY_FREQUENCIES.join('|')})$`),
    month: /^[12]\d{3}-(?:0[1-9]|1[0-2])$/,
    period: /^\d{1,2}$/,
    number: /^\d{4}-\d{3}$/,
  },
};

function claimOf(fields: Fields): Claim {
  const kind = oneOf(CLAIM_KINDS, fields.get('kind'));
  const claim: Claim = {
    kind,
    value: formed(textOf(fields.get('value'), SHORT), CLAIM_FORMS[kind]),
    text: textOf(fields.get('text'), SHORT),
    page: numberOf(fields.get('page')),
    box: boxOf(fieldsOf(fields.get('box'))),
  };
  if (fields.has('day')) claim.day = formed(textOf(fields.get('day'), SHORT), DAY);
  if (fields.has('words')) claim.words = textOf(fields.get('words'), SHORT);
  return claim;
}

function formed(text: string, form: RegExp | undefined): string {
  if (form?.test(text) === false) throw new Malformed('A claim has not the form of its kind.');
  return text;
}

function previewOf(fields: Fields, body: Uint8Array): Preview {
  return {
    page: numberOf(fields.get('page')),
    width: numberOf(fields.get('width')),
    height: numberOf(fields.get('height')),
    picture: body,
  };
}
