import sharp from 'sharp';
import type { ReportContent, ReportDocument, ReportPerson } from '../../core/reports/content.ts';

const AT = '2026-11-01T10:00:00.000Z';

/** A report of five people with everything that a report can say, and names in letters that no font has. */
export async function longReport(): Promise<ReportContent> {
  const noise = { type: 'gaussian' as const, mean: 200, sigma: 3 };
  const page = sharp({ create: { width: 1_100, height: 1_556, channels: 3, background: '#ffffff', noise } });
  const jpeg = (await page.jpeg({ quality: 40 }).toBuffer()).toString('base64');
  return {
    language: 'en',
    madeAt: AT,
    landlord: 'Möller & Söhne',
    colour: '#7a1f5c',
    logo: null,
    application: { id: 'an id', title: 'Flat 日本 <for> five & more', createdAt: AT },
    property: 'Calle Mayor 3, 28013 Madrid',
    rentCents: 120_000,
    incomeCents: 350_000,
    sharePercent: 34.3,
    rule: '3x',
    isMet: false,
    guarantorCents: null,
    people: [0, 1, 2, 3, 4].map((place) => person(place, jpeg)),
  };
}

function person(place: number, jpeg: string): ReportPerson {
  return {
    name: `Παρασκευή Łukasz Нина 王 ${place}`,
    email: `person-${place}@mail.example`,
    isLead: place === 0,
    isGuarantor: place === 4,
    consent: 'accepted',
    agreements: (['kyc', 'eid', 'bank'] as const).map((what) => ({ what, at: AT, text: 'What is read. '.repeat(100) })),
    checks: [{ kind: 'kyc', status: 'verified', provider: 'sandbox', at: AT }],
    income: {
      monthlyCents: 70_000,
      certainty: 'confirmed',
      sources: [
        {
          ...{ kind: 'salary', payer: 'Ferries', monthlyCents: 70_000, months: ['2026-09'], isRegular: true },
          ...{ from: 'bank', certainty: 'confirmed' },
        },
      ],
      outgoings: [{ kind: 'rent', payee: 'Casa', monthlyCents: 50_000 }],
      cautions: [
        { kind: 'payslip-differs', payer: 'Ferries', payslipCents: 314_444, bankCents: 221_444 },
        { kind: 'tampered', document: 'payslip.pdf' },
      ],
    },
    documents: Array.from({ length: 8 }, (_, number) => document(number, jpeg)),
    analysedAt: AT,
    contradictions: [
      {
        title: 'Net pay',
        message: 'They differ.',
        english: 'They do.',
        documents: ['a.pdf', 'b.pdf'],
        strength: 'medium',
      },
    ],
    unchecked: ['bank', 'analysis'],
  };
}

function document(number: number, jpeg: string): ReportDocument {
  const box = { x: 100, y: 100 + 20 * number, width: 120, height: 14 };
  return {
    ...{ id: `document ${number}`, name: `payslip ${number} – عربي.pdf`, type: 'payslip', source: 'applicant' },
    ...{ addedAt: AT, outcome: 'suspicious', reason: null, pages: 1, more: 3, skipped: 2 },
    findings: [
      { number: 1, title: 'Fonts', message: 'A value is in a font of its own.', english: 'It is.', strength: 'strong' },
    ],
    pictures: [{ page: 1, width: 595, height: 842, marks: [{ number: 1, strength: 'strong', box }], jpeg }],
  };
}
