import { readable, WebBrowser } from './web-browser.ts';

/** What the simulated sign-in offers. */
type Choice = 'Confirm my identity' | 'Cancel' | 'Let it fail';

/**
 * Follows the link of a national eID to the simulated sign-in, and chooses there.
 * @param link what initiate-eid gave
 * @returns the address to which the person returns
 */
export async function chooseAtEid(link: string, choice: Choice, browser = new WebBrowser()): Promise<string> {
  const page = await browser.follow(link);
  const [, address] = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${choice}</a>`).exec(page.text) ?? [];
  if (address === undefined) throw new Error(`The sign-in offers no "${choice}": ${page.status} ${page.text}`);
  const { location } = await browser.follow(new URL(readable(address), page.url).href);
  if (location === null) throw new Error('Nobody was sent back.');
  return location;
}
