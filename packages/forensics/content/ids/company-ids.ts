import type { NationalId } from './national-ids.ts';

/** VAT numbers and company numbers. Claims about people exclude these. */
const ANY = /^/;

export const COMPANY_IDS: readonly NationalId[] = [
  {
    name: 'German VAT number',
    label: /\b(?:ust-?id(?:-?nr|entifikationsnummer)?|umsatzsteuer-?id\w{0,20}|vat(?: id| no| number)?)\b/,
    form: /DE ?\d{3} ?\d{3} ?\d{3}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/de/vat.js')],
  },
  {
    name: 'Austrian VAT number (UID)',
    label: /\b(?:uid|ust-?id)(?:-?n(?:umme)?r)?\b/,
    form: /ATU ?\d{8}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/at/uid.js')],
  },
  {
    name: 'French VAT number',
    label: /\btva(?: intra(?:communautaire|com\.?)?)?\b/,
    form: /FR ?\d{2} ?\d{3} ?\d{3} ?\d{3}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/fr/tva.js')],
  },
  {
    name: 'Italian VAT number',
    label: /\b(?:partita iva|p\. ?iva|p\. ?i\.)/,
    form: /(?:IT ?)?\d{11}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/it/iva.js')],
  },
  {
    name: 'Polish tax number (NIP)',
    label: /\bnip\b/,
    form: /(?:PL ?)?\d{10}|\d{3}-\d{3}-\d{2}-\d{2}|\d{3}-\d{2}-\d{2}-\d{3}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/pl/nip.js')],
  },
  {
    name: 'Dutch VAT number',
    label: /\bbtw(?:-?(?:id|n(?:umme)?r|identificatienummer))?\b/,
    form: /NL ?\d{9}B\d{2}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/nl/btw.js')],
  },
  {
    name: 'Belgian VAT number',
    label: /\b(?:btw|tva|ondernemingsnummer|numero d'entreprise|kbo|bce)(?:-?n(?:umme)?r)?\b/,
    form: /BE ?[01]?\d{3}\.?\d{3}\.?\d{3}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/be/vat.js')],
  },
  {
    name: 'British VAT number',
    label: /\bvat(?: reg(?:istration)?\.?)?(?: no| number)?\b/,
    form: /GB ?\d{3} ?\d{4} ?\d{2}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/gb/vat.js')],
  },
  {
    name: 'Luxembourg VAT number',
    label: /\b(?:tva|vat|ust-?id)\b/,
    form: /LU ?\d{8}/,
    company: ANY,
    validators: [() => import('stdnum/lib/cjs/lu/tva.js')],
  },
];
