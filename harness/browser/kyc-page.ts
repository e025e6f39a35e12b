import type { SimulatedOutcome } from '../../providers/sandbox/kyc.ts';
import { until } from '../process/until.ts';
import { type Page, readable, WebBrowser } from './web-browser.ts';

/** The name that is typed when none is known. */
const PERSON = 'Test Tenant';

/**
 * Completes the simulated verification by its forms, as a browser without JavaScript does.
 * @param url from initiate-kyc
 * @returns the heading of the final page
 */
export async function choose(url: string, outcome: SimulatedOutcome): Promise<string> {
  const browser = new WebBrowser();
  const answers = { document: 'identity_card', outcome };
  let page = await browser.follow(url);
  for (let form = formOf(page); form; form = formOf(page)) {
    const given = Object.entries(answers).filter(([name]) => page.text.includes(`name="${name}"`));
    const named = form.fields['name'] === '' ? { name: PERSON } : {};
    page = await browser.follow(form.action, { ...form.fields, ...named, ...Object.fromEntries(given) });
    if (page.status !== 200) throw new Error(`The page took no ${outcome}: ${page.status} ${page.text}`);
  }
  return until('the page said how it ended', async () => {
    const { text } = await browser.follow(url);
    return !text.includes('http-equiv="refresh"') && /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
  });
}

/** The address to which a page submits its prefilled form, and the fields. */
function formOf({ url, text }: Page): { action: string; fields: Record<string, string> } | undefined {
  const [, action, content = ''] = /<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(text) ?? [];
  if (action === undefined) return undefined;
  const inputs = [...content.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => attributes);
  const sent = inputs.filter((attributes) => !attributes.includes('type="radio"') || / checked\b/.test(attributes));
  const chosen = [...content.matchAll(/<select [^>]*>\s*<option [^>]*>/g)].map(([first]) => first);
  const fields = [...sent, ...chosen].map((element) => [attribute(element, 'name'), attribute(element, 'value')]);
  return { action: new URL(readable(action), url).href, fields: Object.fromEntries(fields) };
}

function attribute(element: string, name: string): string {
  return readable(new RegExp(`\\b${name}="([^"]*)"`).exec(element)?.[1] ?? '');
}
