import type { FrameLocator, Page } from 'playwright-core';

/** A window, or a frame in it. */
export type View = Page | FrameLocator;

/** Agrees to the check before the first step. */
export async function agree(view: View): Promise<void> {
  const button = view.getByRole('button', { name: 'I agree, continue' });
  await button.click();
  // The first step has a "Continue" button; this page has one whose name contains that word.
  await button.waitFor({ state: 'detached' });
}

/** From the first step to the review. */
export async function reachReview(view: View): Promise<void> {
  await view.getByRole('button', { name: 'Continue' }).click();
  await view.getByRole('radio', { name: 'Identity card' }).check();
  await view.getByRole('button', { name: 'Continue' }).click();
  await view.getByRole('button', { name: 'Take the photo' }).click();
  await view.getByRole('button', { name: 'Take the selfie' }).click();
  await shown(view, 'Check your details');
}

/** Chooses the outcome at the review. */
export async function finish(view: View, outcome: string, reason?: string): Promise<void> {
  await view.getByRole('radio', { name: outcome }).check();
  if (reason) await view.getByRole('combobox', { name: 'Reason' }).selectOption(reason);
  await view.getByRole('button', { name: 'Submit for checking' }).click();
}

/** Waits for the page with this heading. */
export async function shown(view: View, heading: string): Promise<void> {
  await view.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}
