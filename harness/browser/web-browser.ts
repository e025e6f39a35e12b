import { expect } from 'chai';

export interface Page {
  url: string;
  status: number;
  /** The raw redirect target. */
  location: string | null;
  headers: Headers;
  text: string;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

const MAX_REDIRECTS = 20;

/** Values by field; several for boxes. */
export type Form = Record<string, string | readonly string[]>;

/** A person's browser without a window: it keeps cookies per origin and path, and follows redirects only on request. */
export class WebBrowser {
  readonly cookies = new Map<string, Cookie[]>();
  /** Sent with the next requests. */
  headers: Readonly<Record<string, string>> = {};
  private readonly keepsCookies: boolean;

  constructor({ keepsCookies = true } = {}) {
    this.keepsCookies = keepsCookies;
  }

  async open(url: string, form?: Form): Promise<Page> {
    const { origin, pathname } = new URL(url);
    const kept = (this.cookies.get(origin) ?? []).filter(({ path }) => isBelow(pathname, path));
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie: kept.map(({ name, value }) => `${name}=${value}`).join('; '),
        ...this.headers,
      },
      body: form ? bodyOf(form) : null,
    });
    if (this.keepsCookies) for (const line of answer.headers.getSetCookie()) this.keep(origin, line);
    const location = answer.headers.get('location');
    return { url, status: answer.status, location, headers: answer.headers, text: await answer.text() };
  }

  /** Opens the link of an identity check, and agrees when asked. @returns the answer of the link, or of the agreement */
  async agree(link: string): Promise<Page> {
    const page = await this.open(link);
    const { action, shown } = agreementIn(page) ?? {};
    return action === undefined || shown === undefined ? page : this.open(action, { shown });
  }

  /** Opens an address and follows its redirects until they leave the site; `location` holds the last target. */
  async follow(url: string, form?: Record<string, string>): Promise<Page> {
    let page = await this.open(url, form);
    for (let steps = 0; steps < MAX_REDIRECTS; steps++) {
      const next = page.location && new URL(page.location, page.url);
      if (!next || next.origin !== new URL(url).origin) return page;
      page = await this.open(next.href);
    }
    throw new Error(`No one gets anywhere from ${new URL(url).pathname}.`);
  }

  /**
   * Follows an address, past the agreement, to the provider and through its form, until a redirect to an address that begins with `until`.
   * @param form the fields to fill in
   * @returns where the browser would go next
   */
  async signIn(url: string, until: string, form: Record<string, string>): Promise<string> {
    let page = await this.open(url);
    for (let steps = 0; steps < MAX_REDIRECTS; steps++) {
      const next = page.location && new URL(page.location, page.url).href;
      if (next?.startsWith(until)) return next;
      if (!next) expect(page.text, `${page.status} of ${new URL(page.url).pathname}`).to.include('<form');
      const agreement = agreementIn(page);
      if (next) page = await this.open(next);
      else page = await this.open(page.url, agreement ? { shown: agreement.shown } : form);
    }
    throw new Error(`No one was sent to ${until}.`);
  }

  private keep(origin: string, line: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const [name = '', value = ''] = pair.split('=', 2);
    const settings = new Map(
      attributes.map((attribute): [string, string] => {
        const [key = '', told = ''] = attribute.split('=', 2);
        return [key.toLowerCase(), told];
      }),
    );
    const path = settings.get('path') ?? '/';
    const others = (this.cookies.get(origin) ?? []).filter((cookie) => cookie.name !== name || cookie.path !== path);
    const gone = settings.get('max-age') === '0' || Date.parse(settings.get('expires') ?? '') <= Date.now();
    this.cookies.set(origin, gone ? others : [...others, { name, value, path }]);
  }
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** The CSRF token of the first form on a page. */
export function csrfIn(text: string): string {
  return readable(/name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? expect.fail('the page has no form'));
}

function bodyOf(form: Form): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, given] of Object.entries(form))
    for (const value of typeof given === 'string' ? [given] : given) body.append(name, value);
  return body;
}

/** The form with which a person agrees to an identity check. */
function agreementIn({ url, text }: Page): { action: string; shown: string } | undefined {
  const [, action, shown] =
    /<form [^>]*action="([^"]*)"[^>]*>\s*<input [^>]*name="shown" value="([^"]*)"/.exec(text) ?? [];
  if (action === undefined || shown === undefined) return undefined;
  return { action: new URL(readable(action), url).href, shown: readable(shown) };
}

/** Text that our markup contains literally; the rest is written as character references. */
export function readable(markup: string): string {
  return markup.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
