/** A bank, or a group of banks, by the codes that follow the check digits in IBANs of its country. */
export interface KnownBank {
  country: string;
  code: RegExp;
  /** As a caseworker knows it. */
  name: string;
  /** In folded text: names that can only mean this bank. */
  clear: RegExp;
  /** In folded text: names that may mean it, such as its brands or the banks it took over. */
  named: RegExp;
}

/** The code, the name, its unique names (shared with no company or town), and further ones. */
type Row = readonly [code: string, name: string, clear: string, others?: string];

/**
 * The largest banks of each country, with the codes of banks that they took over. Compiled by hand, to be checked against the registers:
 * Banco de España, Registro de Entidades; Deutsche Bundesbank, Bankleitzahlendatei (the fourth digit is the group of banks); Banque de
 * France, codes interbancaires; Banca d'Italia, codici ABI; Banco de Portugal, instituições registadas; Betaalvereniging, BIC-lijst.
 */
const ROWS: Record<string, readonly Row[]> = {
  ES: [
    ['0049|0075|0030|0073', 'Santander', 'banco santander', 'santander|popular|banesto|open ?bank'],
    ['0182', 'BBVA', 'bbva', 'bilbao vizcaya'],
    ['2100|2038', 'CaixaBank', 'caixa ?bank', 'la caixa|imagin|bankia'],
    ['0081', 'Sabadell', 'banco (?:de )?sabadell|bancsabadell', 'sabadell|solbank'],
    ['0128|0239', 'Bankinter', 'bankinter', 'coinc|evo banco'],
    ['2080', 'Abanca', 'abanca'],
    ['2095', 'Kutxabank', 'kutxabank', 'kutxa|bbk|vital'],
    ['2103|2048', 'Unicaja', 'unicaja', 'liberbank|espana ?duero'],
    ['2085', 'Ibercaja', 'ibercaja'],
    ['1465', 'ING', 'ing direct|ing bank', 'ing'],
    ['3058', 'Cajamar', 'cajamar', 'cajas? rural(?:es)?'],
  ],
  DE: [
    ['12030000', 'DKB', 'dkb|deutsche kreditbank'],
    ['50010517', 'ING', 'ing-?diba', 'ing'],
    ['10011001', 'N26', 'n26 bank', 'n26|number26'],
    ['\\d{3}[48]\\d{4}', 'Commerzbank', 'commerzbank', 'comdirect|dresdner'],
    ['\\d{3}7\\d{4}', 'Deutsche Bank', 'deutsche bank', 'norisbank|postbank|db privat\\w{0,20}'],
    [
      '\\d{3}5\\d{4}',
      'Sparkasse',
      '\\w{0,20}sparkasse',
      '\\w{0,20}(?:sparkassen?|landesbank|girozentrale)|haspa|naspa|saarlb|helaba|lbbw|bayernlb|1822 ?direkt|lbs\\w{0,10}',
    ],
    [
      '\\d{3}[69]\\d{4}',
      'Volksbank or Raiffeisenbank',
      'volksbank|raiffeisenbank|sparda-bank',
      '\\w{0,20}(?:volks|raiffeisen|genossenschafts)[\\w-]{0,20}|(?:vr|sparda|psd)[ -]?bank\\w{0,3}|gls|bbbank|apo ?bank|dz bank|apotheker\\w{0,10}|ethikbank|evangelische bank|\\w{0,20}bank eg|eg',
    ],
  ],
  FR: [
    ['30003|30076', 'Société Générale', 'societe generale', 'sg|credit du nord'],
    ['30004', 'BNP Paribas', 'bnp paribas', 'bnp|hello bank'],
    ['30002', 'LCL', 'lcl|credit lyonnais'],
    ['20041', 'La Banque Postale', 'la banque postale', 'banque postale|ccp'],
    ['30066', 'CIC', 'credit industriel et commercial', 'cic'],
    ['40618', 'Boursorama', 'boursorama|boursobank'],
  ],
  IT: [
    ['03069|03111', 'Intesa Sanpaolo', 'intesa ?san ?paolo', 'intesa|san ?paolo|ubi|isybank'],
    ['02008', 'UniCredit', 'unicredit', 'buddybank'],
    ['01005', 'BNL', 'bnl|banca nazionale del lavoro', 'hello bank'],
    ['03032', 'Credem', 'credem|credito emiliano'],
    ['05034', 'Banco BPM', 'banco bpm', 'bpm|banco popolare|webank'],
    ['05387', 'BPER', 'bper banca', 'bper|popolare dell.emilia'],
    ['01030', 'Monte dei Paschi di Siena', 'monte dei paschi', 'paschi|mps|widiba'],
    ['07601|36081', 'Poste Italiane', 'banco ?posta', 'poste ?(?:italiane|pay)'],
    ['03015', 'FinecoBank', 'fineco(?:bank)?'],
  ],
  PT: [
    ['0033|0023', 'Millennium bcp', 'millennium ?bcp', 'millennium|bcp|activo ?bank'],
    ['0035', 'Caixa Geral de Depósitos', 'caixa geral de depositos', 'caixa geral|cgd'],
    ['0007', 'Novo Banco', 'novo ?banco', 'espirito santo'],
    ['0018', 'Santander Totta', 'santander totta', 'santander|totta'],
    ['0010', 'BPI', 'banco bpi', 'bpi'],
    ['0036', 'Montepio', 'banco montepio', 'montepio'],
    ['0045', 'Crédito Agrícola', 'credito agricola', 'ccam'],
  ],
  NL: [
    ['ABNA', 'ABN AMRO', 'abn ?amro', 'abn'],
    ['INGB', 'ING', 'ing bank', 'ing'],
    ['RABO', 'Rabobank', 'rabobank', 'rabo'],
    ['SNSB|ASNB|RBRB', 'ASN, SNS or RegioBank', '(?:sns|asn) bank|regio ?bank', 'sns|asn|volksbank'],
    ['TRIO', 'Triodos Bank', 'triodos bank', 'triodos'],
    ['KNAB', 'Knab', 'knab', 'aegon'],
    ['BUNQ', 'bunq', 'bunq'],
  ],
};

/** After the country and the check digits; Italian IBANs have a letter before the code. */
const BEFORE_CODE = (country: string) => (country === 'IT' ? 5 : 4);

const known = new Map<string, readonly KnownBank[]>();

/** The known banks of a country, read on first use: most documents need one country or none. */
export function banksOf(country: string): readonly KnownBank[] {
  const banks = known.get(country) ?? ROWS[country]?.map((row) => bankIn(country, row));
  if (banks === undefined) return [];
  known.set(country, banks);
  return banks;
}

function bankIn(country: string, [code, name, clear, others]: Row): KnownBank {
  return {
    country,
    code: new RegExp(`^.{${BEFORE_CODE(country)}}(?:${code})`),
    name,
    clear: wholeWords(clear),
    named: wholeWords(others === undefined ? clear : `${clear}|${others}`),
  };
}

function wholeWords(names: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\d])(?:${names})(?![\\p{L}\\d])`, 'u');
}

/** The known bank to which an IBAN belongs. */
export function bankOf(iban: string): KnownBank | undefined {
  return banksOf(iban.slice(0, 2)).find(({ code }) => code.test(iban));
}
