import { type Command, InvalidArgumentError } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { brandColours, readColour } from '../../../core/rules/brand-colours.ts';
import { type Language, languageNames, languages, readLanguage } from '../../../core/texts/languages.ts';
import { findLandlordBrand, setLandlordBrand } from '../../../db/access/landlord-brands.ts';
import { lockLandlord } from '../../../db/access/landlords.ts';
import type { Database } from '../../../db/connection/database.ts';
import { UsageError } from '../cli/faults.ts';
import { namedLandlord } from '../cli/named.ts';
import { audited } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { logoIn } from './read-logo.ts';

const NOTES = `
Any colour works: text on it is white or black, and links are darkened or
lightened where needed. A logo is a PNG, JPEG or WebP of up to 2 MiB and 16
megapixels. It is scaled down where needed and re-encoded, without metadata.
Mails use the landlord’s language, pages the reader’s.`;

export function addBrandCommands(landlord: Command): void {
  landlord
    .command('show')
    .description('show a landlord with its brand')
    .argument('<landlord>', 'the id of the landlord', canonicalId)
    .addHelpText('after', example('landlord show <landlord id>'))
    .action(show);
  landlord
    .command('brand')
    .description('set the colour, logo and language of a landlord’s pages and mails')
    .argument('<landlord>', 'the id of the landlord', canonicalId)
    .option('--colour <colour>', 'six hexadecimal digits, such as "#0a7d33"', parseColour)
    .option('--no-colour', 'use the service’s colour')
    .option('--logo <file>', 'a PNG, JPEG or WebP')
    .option('--no-logo', 'show only the name')
    .option('--language <language>', `the language of mails: ${languages.join(', ')}`, parseLanguage)
    .option('--no-language', `use ${languageNames.en}`)
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      example(
        'landlord brand <landlord id> --colour "#0a7d33" --logo ./logo.png',
        'landlord brand <landlord id> --language es --no-logo',
      ),
    )
    .action(brand);
}

function parseColour(text: string): string {
  const colour = readColour(text);
  if (!colour) throw new InvalidArgumentError('Give six hexadecimal digits, such as "#0a7d33".');
  return colour;
}

function parseLanguage(text: string): Language {
  const language = readLanguage(text);
  if (!language) throw new InvalidArgumentError(`Give one of ${languages.join(', ')}.`);
  return language;
}

const show = withRuntime(async ({ db }, id: string) => record('The landlord:', await fieldsOf(db, id)));

/** Commander gives false for an option that begins with `--no-`. */
interface Options {
  colour?: string | false;
  logo?: string | false;
  language?: Language | false;
}

const brand = withRuntime(async ({ db, forensics, now }, id: string, { colour, logo, language }: Options) => {
  if (colour === undefined && logo === undefined && language === undefined)
    throw new UsageError('give --colour, --logo or --language, or one of them with --no-');
  await namedLandlord(db, id);
  const given = {
    colour: colour === false ? null : colour,
    logo: typeof logo === 'string' ? await logoIn({ forensics }, logo) : logo === false ? null : undefined,
    language: language === false ? null : language,
  };
  const isChanged = await audited(db, ['landlord.brand', id, now()], async (trx) => {
    await lockLandlord(trx, id);
    return setLandlordBrand(trx, id, given);
  });
  const sentence = isChanged ? 'The brand was changed.' : 'The landlord already had this brand; nothing changed.';
  return record(sentence, await fieldsOf(db, id));
});

async function fieldsOf(db: Database, id: string) {
  const { name, created_at } = await namedLandlord(db, id);
  const row = await findLandlordBrand(db, id);
  const colour = row?.colour ?? null;
  const colours = colour === null ? undefined : brandColours(colour);
  return {
    landlord_id: id,
    name,
    colour,
    colour_on_light: colours?.light.accent ?? null,
    colour_on_dark: colours?.dark.accent ?? null,
    logo_width: row?.logo_width ?? null,
    logo_height: row?.logo_height ?? null,
    logo_bytes: row?.logo?.length ?? null,
    language: row?.language ?? null,
    created_at,
  };
}
