import type { KycMessage } from './generated/messages.js';

export { KYC_MESSAGES, type KycMessage } from './generated/messages.js';

export interface KycFrameOptions {
  /** As initiateKyc returned it to your server. */
  verificationUrl: string;
  /** The frame becomes its last child. */
  container: HTMLElement;
  /** What screen readers say of the frame, in the page's language. */
  title: string;
  /** The language of our page, such as `es`. Default: the browser's. */
  language?: string;
  /** Called for each message. A reloaded page repeats its message, and another may follow `KYC_USER_EXIT`. */
  onMessage: (message: KycMessage) => void;
}

export interface KycFrame {
  frame: HTMLIFrameElement;
  /** Takes the frame away, so that the browser's **Back** button does not step through its pages. */
  remove(): void;
}

export function showKyc(options: KycFrameOptions): KycFrame;
