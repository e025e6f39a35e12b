import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../../harness/process/until.ts';
import { shown } from './kyc-journey.ts';

/** Presses Tab until the element with this name has a visible focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab');
    const reached = await focused(page);
    if (typeof name === 'string' ? reached === name : name.test(reached)) {
      const marked = "(document.activeElement.closest('.choice') ?? document.activeElement)";
      expect(await page.evaluate(`getComputedStyle(${marked}).outlineStyle`), reached).to.equal('solid');
      return;
    }
  }
  throw new Error(`Tab does not reach ${name}.`);
}

/** A screen reader reads the heading first. */
export async function isRead(page: Page, heading: string): Promise<void> {
  await shown(page, heading);
  const isFocused = `document.activeElement.textContent === ${JSON.stringify(heading)}`;
  await until('the heading had the focus', () => page.evaluate<boolean>(isFocused));
}

/** The script that moves the focus runs after the page is drawn. */
export async function isFocused(page: Page, name: RegExp): Promise<void> {
  await until(`${name} had the focus`, async () => name.test(await focused(page)));
}

/** The accessible name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    '(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim().replace(/\\s+/g, " ")',
  );
}
