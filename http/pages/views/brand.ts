import type { Request } from 'express';
import { type Html, html } from '../../../core/html.ts';
import { shownSize } from '../../../core/rules/logos.ts';
import type { Brand } from '../../../db/access/landlord-brands.ts';
import type { Contact } from '../../../db/access/landlord-settings.ts';
import { hostedAddress } from '../../edge/addresses.ts';
import { assetPath } from '../assets.ts';
import { coloursPath, logoPath } from '../brand-files.ts';

/** The name of the service, in every language. */
export const SERVICE = 'Tenant Screening';

/** The organization that the person recognizes as the page's owner. */
export interface Host {
  landlord: string;
  brand: Brand;
  contact: Contact;
}

export function brandStylesheet(host: Host | undefined, req: Request): Html | undefined {
  const colour = host?.brand.colour;
  return colour ? html`<link rel="stylesheet" href="${hostedAddress(req, coloursPath(colour))}">` : undefined;
}

/** The head of a page: the landlord's logo, or their name beside their colour, or the service's name. */
export function brandMark(host: Host | undefined, req: Request): Html {
  if (!host || !isBranded(host)) return html`<p class="brand">${serviceMark(req, 24)}</p>`;
  const { landlord, brand } = host;
  if (!brand.logo) return html`<p class="brand own"><bdi>${landlord}</bdi></p>`;
  const { width, height } = shownSize(brand.logo);
  const source = hostedAddress(req, logoPath(brand.logo.digest));
  return html`<p class="brand"><img class="logo" src="${source}" alt="${landlord}" width="${width}" height="${height}"></p>`;
}

/** The foot of a page with the landlord's brand: names the operator of the service. */
export function serviceFoot(host: Host | undefined, req: Request): Html | undefined {
  return host && isBranded(host) ? html`<p class="service">${serviceMark(req, 16)}</p>` : undefined;
}

function isBranded({ brand }: Host): boolean {
  return brand.colour !== null || brand.logo !== null;
}

function serviceMark(req: Request, size: number): Html {
  return html`<img src="${hostedAddress(req, assetPath('favicon.svg'))}" alt="" width="${size}" height="${size}"><span translate="no">${SERVICE}</span>`;
}
