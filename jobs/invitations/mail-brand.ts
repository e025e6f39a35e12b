import { type Html, html } from '../../core/html.ts';
import { brandColours } from '../../core/rules/brand-colours.ts';
import { shownSize } from '../../core/rules/logos.ts';
import { type Brand, findLogo, type Logo } from '../../db/access/landlord-brands.ts';
import type { Database } from '../../db/connection/database.ts';

/** The landlord's branding in a mail. A null part falls back to the service's own. */
export interface MailBrand {
  colour: string | null;
  logo: Logo | null;
}

/** The logo's address within the mail. It is embedded: fetching it would reveal when the mail is read, and mail clients block that. */
export const LOGO_ID = 'logo@brand';

export async function mailBrand(db: Database, { colour, logo }: Brand): Promise<MailBrand> {
  const content = logo && (await findLogo(db, logo.digest));
  return { colour, logo: logo && content ? { content, width: logo.width, height: logo.height } : null };
}

export function isBranded({ colour, logo }: MailBrand): boolean {
  return colour !== null || logo !== null;
}

/** The landlord's colours, or the service's. */
export function mailColours({ colour }: MailBrand) {
  if (colour === null)
    return {
      light: { accent: '#0b6b4f', fill: '#0b6b4f', onFill: '#ffffff' },
      dark: { accent: '#5fd3a8', fill: '#5fd3a8', onFill: '#06231a' },
    };
  const { fill, onFill, light, dark } = brandColours(colour);
  return { light: { accent: light.accent, fill, onFill }, dark: { accent: dark.accent, fill, onFill } };
}

/** The header of a mail: the logo, the landlord's name, or the service's. */
export function mailMark(landlord: string, brand: MailBrand): Html {
  if (!isBranded(brand)) return html`Tenant Screening`;
  if (!brand.logo) return html`${landlord}`;
  const { width, height } = shownSize(brand.logo);
  return html`<img src="cid:${LOGO_ID}" alt="${landlord}" width="${width}" height="${height}" style="display:block;border:0;border-radius:4px;">`;
}
