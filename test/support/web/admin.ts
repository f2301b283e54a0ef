import type { Locator, Page } from 'playwright-core';
import type { Running as Service } from '../api/with-service.ts';
import type { Running as Browser } from './browser.ts';

/** `open(path, token)`: opens a page of the administration, signed in with the root ADMIN key unless another is given. */
export function adminOf(browser: Browser, api: Service) {
  return async (path = '', token = api.admin.token ?? ''): Promise<Page> => {
    const page = await browser.open(`${api.service.url}/admin${path}`);
    await signIn(page, token);
    return page;
  };
}

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.locator('#token').fill(token);
  await page.locator('form button[type=submit]').click();
  await page.locator('.shell main h1').first().waitFor();
}

/** A field of a page's form, by its label. */
export function fieldOf(page: Page | Locator, label: string): Locator {
  return page
    .locator('.record-form .form-field')
    .filter({ has: page.locator(`label:text-matches("^${label}( \\\\(|$| \\\\*)")`) });
}

/** Fills in fields of a form: texts, numbers and choices, and references by name; then clicks a button, if one is named. */
export async function fillIn(page: Page, values: Readonly<Record<string, string>>, button?: string): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = fieldOf(page, label);
    const kind = await field.getAttribute('data-kind');
    const folded = field.locator('xpath=ancestor::details[not(@open)]');
    if ((await folded.count()) > 0) await folded.locator('summary').click();
    if (kind === 'boolean' || kind === 'choice') await field.locator('select').selectOption(value);
    else if (kind === 'reference' || kind === 'references') await pick(field, value);
    else if (kind === 'country') await pickCountry(field, value);
    else if (kind === 'time-zone') await pick(field, value);
    else await field.locator('input, textarea').first().fill(value);
  }
  if (button !== undefined) await press(page, button);
}

/** Saves the form of a page, with these changes. */
export async function save(page: Page, changes: Readonly<Record<string, string>> = {}): Promise<void> {
  await fillIn(page, changes, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
}

/** Chooses something by its name in a picker. */
export async function pick(field: Locator, name: string): Promise<void> {
  await field.locator('[role=combobox]').fill(name);
  await field.locator('[role=option]:not(.adds)').filter({ hasText: name }).first().click();
}

/** Chooses a country by its code of three letters. */
async function pickCountry(field: Locator, code: string): Promise<void> {
  await field.locator('[role=combobox]').fill(code);
  await field.locator('[role=combobox]').press('Enter');
}

/** In a page: whether it can be left without a question. */
export const MAY_LEAVE = `dispatchEvent(new Event('beforeunload', { cancelable: true }))`;

/** Clicks a button by its name. */
export async function press(page: Page | Locator, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}
