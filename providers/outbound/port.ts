/** The answer of a caller's endpoint, as far as we care. */
export interface OutboundAnswer {
  statusCode: number;
  /** The header `Retry-After` as it came: seconds or a date. */
  retryAfter: string | undefined;
  /** The beginning of the body as text; empty when there is none. */
  excerpt: string;
}

/** The only way to an address that a caller gave us. */
export interface OutboundHttp {
  /** @throws OutboundError when no answer came */
  post(url: string, headers: Record<string, string>, body: string): Promise<OutboundAnswer>;
  close(): Promise<void>;
}
