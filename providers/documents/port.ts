export interface DownloadedDocument {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** Stored bytes without a row yet. */
export interface StoredContent {
  /** In hex. */
  sha256: string;
  sizeBytes: number;
  /** Detected from the bytes. */
  mediaType: string;
  /** Removes the bytes when their row was not written, unless another writer stored the same bytes before or since. */
  discard(): Promise<void>;
}

/** The document is empty, too large or infected, or exceeds the number of documents. The message may be shown. */
export class UnacceptableDocument extends Error {
  readonly reason: 'empty' | 'large' | 'many' | 'infected';

  constructor(reason: UnacceptableDocument['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The stored bytes are missing or modified. The message may be shown. */
export class UnreadableDocument extends Error {}

export class MissingDocument extends UnreadableDocument {}

export interface VirusScanner {
  /**
   * Completes once the scanner has read everything and found nothing.
   * @throws UnacceptableDocument, ProviderUnavailable, and the errors of the content
   */
  check(content: AsyncIterable<Uint8Array>): Promise<void>;
  /** The date of its signatures; undefined when it has none. @throws ProviderUnavailable */
  signaturesFrom(): Promise<Date | undefined>;
}

/** Keeps one short text where no one who can change the database can change it. */
export interface HeadKeeper {
  /** For people. */
  place: string;
  /** @throws ProviderUnavailable */
  read(): Promise<string | undefined>;
  /** @throws ProviderUnavailable */
  write(text: string): Promise<void>;
}

/** The outcome of removing bytes. */
export type Removal = 'removed' | 'kept' | 'gone';

export interface KeptContent {
  /** In hex. */
  sha256: string;
  sizeBytes: number;
  /** The last put of the same bytes, by the store's clock. */
  storedAt: Date;
}

/** An encrypted, content-addressed store: keys are SHA-256 in hex. */
export interface DocumentStore {
  /**
   * @param announce completes before the bytes can be found in the store
   * @throws UnacceptableDocument, ProviderUnavailable, and what `announce` throws
   */
  put(content: AsyncIterable<Uint8Array>, announce?: (sha256: string) => Promise<void>): Promise<StoredContent>;
  /**
   * Streams the bytes. They are authenticated only once the stream has ended: it fails before its end if they were modified.
   * @throws UnreadableDocument, ProviderUnavailable
   */
  get(sha256: string): AsyncIterable<Uint8Array>;
  /**
   * The index in the ring of the key that decrypts the bytes, all of which are checked. 0 is the current key.
   * @throws UnreadableDocument when none opens them, ProviderUnavailable
   */
  openedBy(sha256: string): Promise<number>;
  /**
   * Re-encrypts the bytes with the current key, regardless of the size limit. Readers see either version.
   * @returns the new content, which the caller discards if its row is gone by then
   * @throws UnreadableDocument, ProviderUnavailable
   */
  reseal(sha256: string): Promise<StoredContent>;
  /** Lists the store, unordered. @throws ProviderUnavailable */
  kept(): AsyncIterable<KeptContent>;
  /**
   * Removes bytes that are not needed. Bytes stored again since `isNeeded` was called stay.
   * @throws ProviderUnavailable, and what `isNeeded` throws
   */
  removeUnless(sha256: string, isNeeded: (storedAt: Date) => Promise<boolean> | boolean): Promise<Removal>;
  /** Removes incomplete files older than a day, and restores files that killed processes had moved aside. Never throws. */
  recover(): Promise<void>;
}
