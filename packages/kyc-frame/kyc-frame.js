import { KYC_MESSAGES } from './generated/messages.js';

export { KYC_MESSAGES };

/**
 * Shows the identity verification in an iframe. Messages count only when they come from this frame and from the address's origin.
 * They only update the page: decide by the signed webhook.
 */
export function showKyc({ verificationUrl, container, title, language, onMessage }) {
  const address = new URL(verificationUrl);
  address.searchParams.set('height', '1');
  if (language) address.searchParams.set('lang', language);
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.style.cssText = 'width: 100%; border: 0';
  frame.src = address.href;

  const listen = ({ origin, source, data }) => {
    if (origin !== address.origin || source !== frame.contentWindow) return;
    if (data?.event === 'KYC_HEIGHT' && Number.isFinite(data.height)) frame.style.height = `${data.height}px`;
    else if (KYC_MESSAGES.includes(data)) onMessage(data);
  };
  addEventListener('message', listen);
  container.append(frame);
  return {
    frame,
    remove() {
      removeEventListener('message', listen);
      frame.remove();
    },
  };
}
