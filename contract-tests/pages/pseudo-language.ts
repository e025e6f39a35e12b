import { type Catalogue, catalogueOf, type Message, Texts } from '../../core/texts/texts.ts';

const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const HEBREW = 'אבגדהוזחטיכלמנסעפצקרשתםןףץ';

/**
 * A pseudo-language: right to left, a third longer than English, and without Latin letters in any message, date or unit. A text with Latin
 * letters is not from the catalogue.
 */
export function pseudoLanguage(): Texts {
  const catalogue: Partial<Record<Message, string>> = {};
  for (const name of messageNames()) catalogue[name] = pseudoMessage(catalogueOf('en')[name]);
  return new Texts({ ...catalogueOf('en'), ...catalogue }, 'ar-XB', 'ar-EG-u-nu-latn', 'rtl');
}

/** English texts that record which messages were used. */
export function observedEnglish(): { texts: Texts; used: Set<string> } {
  const used = new Set<string>();
  const catalogue: Catalogue = new Proxy(catalogueOf('en'), {
    get: (messages, name, receiver) => {
      used.add(String(name));
      return Reflect.get(messages, name, receiver);
    },
  });
  return { texts: new Texts(catalogue, 'en', 'en-GB'), used };
}

export function messageNames(): Message[] {
  return Object.keys(catalogueOf('en')).filter((name): name is Message => name.includes('.'));
}

/** Text is what lies within an even number of braces and outside tags. */
export function pseudoMessage(message: string): string {
  let depth = 0;
  let isTag = false;
  const characters = Array.from(message, (character) => {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === '<') isTag = true;
    if (character === '>') isTag = false;
    return isTag || depth % 2 === 1 ? character : replaced(character);
  });
  return characters.join('');
}

function replaced(letter: string): string {
  const index = LATIN.indexOf(letter.toLowerCase());
  const other = HEBREW[index] ?? letter;
  return 'aeo'.includes(letter) ? other.repeat(2) : other;
}
