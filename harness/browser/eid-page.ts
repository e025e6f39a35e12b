import { type Page, readable, WebBrowser } from './web-browser.ts';

/** The choices of the simulated sign-in. */
type Choice = 'Confirm my identity' | 'Cancel' | 'Let it fail';

/** Agrees when asked, and continues to the simulated sign-in. */
async function reachEid(link: string, browser: WebBrowser): Promise<Page> {
  const { location } = await browser.agree(link);
  return browser.follow(location === null ? link : new URL(location, link).href);
}

/**
 * Follows the link of a national eID to the simulated sign-in, and chooses there.
 * @param link from initiate-eid
 * @returns the address to which the person returns
 */
export async function chooseAtEid(link: string, choice: Choice, browser = new WebBrowser()): Promise<string> {
  const page = await reachEid(link, browser);
  const [, address] = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${choice}</a>`).exec(page.text) ?? [];
  if (address === undefined) throw new Error(`The sign-in offers no "${choice}": ${page.status} ${page.text}`);
  const { location } = await browser.follow(new URL(readable(address), page.url).href);
  if (location === null) throw new Error('No one was sent back.');
  return location;
}
