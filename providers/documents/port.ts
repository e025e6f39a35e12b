export interface DownloadedDocument {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** Bytes that are stored and wait for their row. */
export interface StoredContent {
  /** In hex. */
  sha256: string;
  sizeBytes: number;
  /** Told from the bytes. */
  mediaType: string;
  /** Takes them back, unless somebody else stored the same bytes before or since. For a row that was not written. */
  discard(): Promise<void>;
}

/** The bytes are none, or more than a document may have. The message may be shown. */
export class UnacceptableDocument extends Error {}

/** The stored bytes are gone, or are not those that were stored. The message may be shown. */
export class UnreadableDocument extends Error {}

/** There is nothing where the bytes should be. */
export class MissingDocument extends UnreadableDocument {}

/** Bytes as a store holds them. */
export interface KeptContent {
  /** In hex. */
  sha256: string;
  sizeBytes: number;
  /** When they were stored last: storing the same bytes again renews it. By the store's clock. */
  storedAt: Date;
}

/** Keeps the bytes of documents, encrypted, addressed by their SHA-256 in hex. */
export interface DocumentStore {
  /** @throws UnacceptableDocument, ProviderUnavailable */
  put(content: AsyncIterable<Uint8Array>): Promise<StoredContent>;
  /**
   * Streams the bytes. They may be believed once the stream has ended: it fails before its end when they were changed.
   * @throws UnreadableDocument, ProviderUnavailable
   */
  get(sha256: string): AsyncIterable<Uint8Array>;
  /**
   * The place in the ring of the key that opens the bytes, of which every one is looked at. 0 is the current key.
   * @throws UnreadableDocument when none opens them, ProviderUnavailable
   */
  openedBy(sha256: string): Promise<number>;
  /**
   * Stores the bytes anew, sealed with the current key, as large as they are. Readers find the old seal or the new one.
   * @returns what stores them: should their row be gone by now, they are to be taken back
   * @throws UnreadableDocument, ProviderUnavailable
   */
  reseal(sha256: string): Promise<StoredContent>;
  /** All that is stored, in no order. @throws ProviderUnavailable */
  kept(): AsyncIterable<KeptContent>;
  /**
   * Removes bytes, unless somebody stored them at that moment or since.
   * @returns false when they stay, or are gone already
   * @throws ProviderUnavailable
   */
  removeOld(sha256: string, storedBefore: Date): Promise<boolean>;
  /** Removes what killed processes left on its way a day ago, and puts back what they had moved aside. Never throws. */
  recover(): Promise<void>;
}
