/** The relevant part of an endpoint's response. */
export interface OutboundAnswer {
  statusCode: number;
  /** The raw `Retry-After` header: seconds or a date. */
  retryAfter: string | undefined;
  /** The header that explains a refusal, such as `Location: https://new.example/hook` for 308; undefined if the response has none. */
  hint: string | undefined;
  /** The beginning of the body as text, possibly empty. */
  excerpt: string;
}

/** The only client for caller-supplied addresses. */
export interface OutboundHttp {
  /** For a caller who waits for the answer. @throws OutboundError without a response */
  post(url: string, headers: Record<string, string>, body: string): Promise<OutboundAnswer>;
  /** The same for a delivery, whose turn its lanes decide (`deliver-webhook.ts`). */
  deliver: OutboundHttp['post'];
  /** Whether the name in an address is known to lead to an address that is not allowed; false unless it resolves in a moment. */
  isKnownPrivate(url: string): Promise<boolean>;
  close(): Promise<void>;
}
