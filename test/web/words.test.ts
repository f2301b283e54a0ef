import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { lapEvents } from '../../commands/laps.ts';
import { participantEvents } from '../../commands/participants.ts';
import { racingEventEvents } from '../../commands/racing-events.ts';
import { rigSeatEvents } from '../../commands/rig-seats.ts';
import { rigEvents } from '../../commands/rigs.ts';
import { Model, type Words } from '../../src/clients/web/admin/api/model.ts';
import { parseJson } from '../../src/clients/web/shared/json.ts';
import type { Text } from '../../src/clients/web/shared/language.ts';
import { useVenue } from '../support/api/with-service.ts';
import { signIn } from '../support/web/admin.ts';
import { describeInBrowser } from '../support/web/browser.ts';

type Texts = Readonly<Record<string, Text>>;

interface FieldTexts {
  readonly labels: Texts;
  readonly hints: Texts;
  readonly choices: Texts;
  readonly changes: Texts;
  readonly resources: Readonly<Record<string, { readonly title: Text; readonly meaning: Text }>>;
}

// The files of this repository have these shapes: the build of the pages checks them.
const read = (name: string): unknown => JSON.parse(readFileSync(`src/clients/web/texts/${name}.json`, 'utf8'));
const fields = read('api/fields') as FieldTexts;
const admin = read('admin') as Texts;

/** Words of programs, which say nothing to people. */
const NOT_FOR_PEOPLE = /\bslug\b|\bnull\b|\bundefined\b|stored as sent|CDN key|\bCRUD\b|\bJSON\b|\bUUID\b|\bi18n\b/i;

const NO_WORDS: Words = {
  label: () => undefined,
  hint: () => undefined,
  title: () => undefined,
  meaning: () => undefined,
};

describeInBrowser('Pages: words of the administration', (browser) => {
  const api = useVenue();

  const modelOf = async (): Promise<Model> =>
    new Model(parseJson(await (await fetch(`${api.service.url}/api-docs`)).text()), NO_WORDS);

  it('are there for each resource, field, choice and change, in each language', async () => {
    const { resources } = await modelOf();
    const missing = new Set<string>();
    for (const { name, view, create, change, filters } of resources) {
      if (fields.resources[name] === undefined) missing.add(name);
      for (const field of [...view, ...(create?.body ?? []), ...(change?.body ?? []), ...filters]) {
        if ((fields.labels[`${name}.${field.name}`] ?? fields.labels[field.name]) === undefined)
          missing.add(field.name);
        for (const choice of field.choices) if (fields.choices[choice] === undefined) missing.add(choice);
      }
    }
    const changes = [lapEvents, participantEvents, racingEventEvents, rigEvents, rigSeatEvents];
    for (const type of changes.flatMap((events) => Object.keys(events)))
      if (fields.changes[type] === undefined) missing.add(type);
    expect([...missing]).to.deep.equal([]);
  });

  const pagesOf = async (): Promise<readonly string[]> => {
    const { resources } = await modelOf();
    const { venue } = api;
    const pages = [
      '',
      '/review',
      '/uploads',
      '/operations',
      '/setup',
      '/check-in',
      '/seats',
      '/laps?page=0',
      `/laps/${venue.lapId}`,
    ];
    for (const { path, nameInPath, create, view } of resources) {
      const address = path.includes('{') ? `/simulators/${venue.simulatorId}/${nameInPath}` : `/${nameInPath}`;
      pages.push(address);
      if (create !== null) pages.push(`${address}/new`);
      if (path.includes('{') || !view.some(({ name }) => name === 'id')) continue;
      const [first] = await api.admin.list(path);
      if (typeof first?.['id'] === 'string') pages.push(`${address}/${encodeURIComponent(first['id'])}`);
    }
    return pages;
  };

  /** What a page shows and says to screen readers. */
  const wordsOn = async (page: Page): Promise<string> =>
    String(
      await page.evaluate(`[
        document.title,
        document.body.innerText,
        ...[...document.querySelectorAll('details')].map((closed) => closed.textContent),
        ...[...document.querySelectorAll('option, [aria-label], [placeholder], [title]')].flatMap((one) =>
          [one.textContent, one.ariaLabel, one.placeholder, one.matches('time') ? '' : one.title]),
        ...[...document.querySelectorAll('input, textarea')].map((one) => one.value),
      ].join('\\n')`),
    );

  /** English texts that are not German ones, too, and long enough to be recognised. */
  const english = (): readonly string[] => {
    const resources = Object.values(fields.resources).flatMap(({ title, meaning }) => [title, meaning]);
    const texts = [fields.labels, fields.hints, fields.choices, fields.changes, admin].flatMap((of) =>
      Object.values(of),
    );
    const german = new Set([...resources, ...texts].map(({ de }) => de));
    return [...resources, ...texts]
      .map(({ en }) => en)
      .filter((en) => en.length > 8 && en.includes(' ') && !en.includes('{') && !german.has(en));
  };

  for (const language of ['en', 'de']) {
    it(`are those of people on each page, in ${language}`, async () => {
      const page = await browser.open(`${api.service.url}/admin?lang=${language}`);
      await signIn(page, api.admin.token ?? '');
      const known = english();
      for (const path of await pagesOf()) {
        await page.goto(`${api.service.url}/admin${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
        await page.locator('main h1').first().waitFor();
        await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
        const shown = await wordsOn(page);
        expect(NOT_FOR_PEOPLE.exec(shown)?.[0], `${path}: ${shown}`).to.equal(undefined);
        if (language === 'de')
          expect(
            known.filter((text) => shown.includes(text)),
            path,
          ).to.deep.equal([]);
      }
    });
  }
});
