import type { Request, Response } from 'express';
import { type Checked, type HomePlace, isHomeOf } from '../../jobs/invitations/home.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { hostCookie, secretCookie } from '../edge/cookies.ts';
import { pageAddress } from './views/addresses.ts';

const PLACES: readonly HomePlace[] = ['invitation', 'onboarding'];

/** Checks are below it. */
const cookieOf = (place: HomePlace, { publicUrl }: Pick<Runtime, 'publicUrl'>) =>
  hostCookie(place, publicUrl(), 'verify');

/** Remembers whose home a browser opened, until it closes, so that the pages of checks lead back there. */
export function rememberHome(
  res: Response,
  place: HomePlace,
  token: string,
  runtime: Pick<Runtime, 'publicUrl'>,
): void {
  const { name, ...where } = cookieOf(place, runtime);
  res.cookie(name, token, { ...where, httpOnly: true, sameSite: 'lax' });
}

/** The home from which this browser came, if it is that of the person of the check. */
export async function wayHome(
  req: Request,
  runtime: Pick<Runtime, 'db' | 'publicUrl'>,
  checked: Checked,
): Promise<string | undefined> {
  for (const place of PLACES) {
    const token = secretCookie(req, cookieOf(place, runtime).name);
    if (token !== undefined && (await isHomeOf(runtime, [place, token], checked)))
      return pageAddress(req, `${place}/${token}`);
  }
  return undefined;
}
