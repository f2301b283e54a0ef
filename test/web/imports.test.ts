import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../src/kernel/json.ts';
import { noteIn } from '../../src/clients/web/admin/imports/notes.ts';
import { FILES } from '../results/fixtures.ts';
import { planOf } from '../results/reading.ts';
import { idOf, textOf, type Client } from '../support/api/client.ts';
import { bodies, createLicense } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { callCommand } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';
import { adminOf, pick, press } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible, expectReadableColours } from '../support/web/browser.ts';
import { zipOf } from '../support/zip.ts';

interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const file = (name: string, bytes: Uint8Array): GivenFile => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});

/** A practice session of an ACC server: each lap of a driver of their own, in cars of these models. */
function accFile(names: readonly string[], models: readonly number[], track = 'spa', ms = 90_000): Uint8Array {
  const drivers = names.map((name, n) => {
    const [firstName = '', lastName = ''] = name.split(' ');
    return { firstName, lastName, playerId: `S-${name}-${n}` };
  });
  const leaderBoardLines = drivers.map((driver, n) => ({
    car: { carId: 1_001 + n, carModel: models[n] ?? 32, drivers: [driver] },
    currentDriver: driver,
    timing: { bestLap: ms + n, totalTime: 0, lapCount: 1 },
  }));
  const laps = drivers.map((_, n) => ({
    carId: 1_001 + n,
    driverIndex: 0,
    laptime: ms + n,
    isValidForBest: true,
    splits: [30_000, ms - 30_000 + n],
  }));
  const content = { sessionType: 'FP', trackName: track, sessionResult: { leaderBoardLines }, laps };
  return new TextEncoder().encode(JSON.stringify(content));
}

describeInBrowser('Pages: result files', (browser) => {
  const api = useVenue();
  const world = useWorld();
  let manager: Client;
  let licenseId = '';
  let simulatorId = '';

  /** A licence with a simulator of ACC that maps spa, and car 32. */
  before(async () => {
    const license = await createLicense(api.admin);
    manager = license.manager;
    licenseId = license.licenseId;
    const simulator = { ...bodies.simulator(), displayName: 'Assetto Corsa Competizione', slug: 'acc' };
    simulatorId = idOf(await manager.create('/api/v1/simulators', simulator));
    const { carId, trackLayoutId } = api.venue;
    await manager.create(`/api/v1/simulators/${simulatorId}/cars`, { carId, simulatorIdentifier: '32' });
    await manager.create(`/api/v1/simulators/${simulatorId}/layouts`, { trackLayoutId, simulatorIdentifier: 'spa' });
  });

  const open = (query = ''): Promise<Page> => adminOf(browser, api)(`/imports${query}`, manager.token ?? '');
  const give = async (page: Page, ...files: readonly GivenFile[]): Promise<void> =>
    page
      .locator('.drop-zone input[type=file]')
      .first()
      .setInputFiles([...files]);
  /** The laps that were imported of somebody. */
  const lapsOf = async (...names: readonly string[]): Promise<readonly JsonObject[]> => {
    const rig = await manager.get(`/api/v1/rigs/hardwareId/imported-results-${licenseId}`);
    if (rig.status === 404) return [];
    const laps = await manager.list(`/api/v1/laps?rigId=${idOf(rig.body)}`);
    return laps.filter((lap) => names.includes(textOf(lap, 'participantName')));
  };
  const counted = (page: Page, name: string): Promise<string> =>
    page.locator('.counts div').filter({ hasText: name }).first().locator('dd').innerText();

  it('are shown before they are sent, recorded once, found by the command, and taken back after a reload', async () => {
    const bytes = accFile(['Amy Stone', 'Ben Reed'], [32, 32]);
    const page = await open();
    await page.getByText('Nothing has been imported yet.').waitFor();
    await expectAccessible(page);
    await give(page, file('anything.txt', bytes));
    await page.getByRole('heading', { name: 'anything.txt' }).waitFor();
    await page.getByText('Practice (FP), spa').waitFor();
    await page.getByText('Drivers: Amy Stone, Ben Reed').waitFor();
    expect(await counted(page, 'To be sent')).to.equal('2');
    await expectAccessible(page);
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await expectReadableColours(page);
    }
    expect(await lapsOf('Amy Stone'), 'nothing is sent yet').to.have.length(0);

    await page.getByLabel('Name of a new event').fill('Club night');
    await press(page, 'Send laps: 2');
    await page.getByText('Drivers checked in: 2').waitFor();
    expect(await counted(page, 'Recorded now')).to.equal('2');
    const laps = await lapsOf('Amy Stone', 'Ben Reed');
    expect(laps.map(({ totalTime }) => totalTime)).to.have.members([90_000, 90_001]);
    expect(laps.map(({ eventName }) => eventName)).to.deep.equal(['Club night', 'Club night']);

    // The same content under another name, in the page and in the command.
    await give(page, file('copy.json', bytes));
    await page.getByText('There is nothing to send.').waitFor();
    expect(await counted(page, 'Recorded before')).to.equal('2');
    await mkdir(world.dataDir, { recursive: true });
    const path = join(world.dataDir, 'again.json');
    await writeFile(path, bytes);
    const args = ['import', path, '--send', '--url', api.service.url, '--token', manager.token ?? ''];
    const { code, out } = await callCommand(args);
    expect(code, out).to.equal(0);
    expect(out).to.include('0 laps recorded, 2 recorded before').and.include('Checked in: 0 drivers.');

    await page.reload();
    const row = page.locator('tbody tr').filter({ hasText: 'Club night' });
    await row.getByText('2 of 2 count').waitFor();
    await press(row, 'Undo');
    await page.locator('dialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: laps struck: 2').waitFor();
    await row.getByText('undone').waitFor();
    const struck = await lapsOf('Amy Stone', 'Ben Reed');
    expect(struck.map(({ valid }) => valid)).to.deep.equal([false, false]);
    const importId = await row.locator('code').innerText();
    const history = await manager.list(`/api/v1/laps/${idOf(struck[0] ?? {})}/history`);
    expect(history.at(-1)).to.include({ reason: `import ${importId} was undone` });
  });

  it('let cars and layouts be chosen where they are not known, and remember them', async () => {
    const carId = idOf(await manager.create('/api/v1/cars', bodies.car(api.venue.carBrandId, api.venue.carClassId)));
    const modelName = textOf(await manager.read(`/api/v1/cars/${carId}`), 'modelName');
    const page = await open();
    await give(page, file('a.json', accFile(['Cat Fox', 'Dan Oak'], [32, 77])));
    await page.getByText('Car “77” in Assetto Corsa Competizione').waitFor();
    expect(await counted(page, 'Waiting for car or layout')).to.equal('1');
    const choice = page.locator('.mapping').filter({ hasText: 'Car “77”' });
    await pick(choice, modelName);
    await press(choice, 'That is it');
    await page.getByText('Car “77”').waitFor({ state: 'detached' });
    await press(page, 'Send laps: 2');
    await page.getByText('Drivers checked in: 2').waitFor();
    expect(await lapsOf('Cat Fox', 'Dan Oak')).to.have.length(2);
    const mapped = await manager.list(`/api/v1/simulators/${simulatorId}/cars`);
    expect(mapped.find((one) => one['simulatorIdentifier'] === '77')).to.include({ carId });
  });

  it('ask who somebody with namesakes is, and send nothing before', async () => {
    const body = { firstName: 'Eve', lastName: 'Ash' };
    await manager.create('/api/v1/check-ins', { ...body, email: 'eve.one@example.org' });
    const second = idOf(await manager.create('/api/v1/check-ins', { ...body, email: 'eve.two@example.org' }));
    const page = await open();
    await give(page, file('a.json', accFile(['Ash Eve'], [32])));
    const question = page.getByLabel('Who is Ash Eve?');
    await question.waitFor();
    expect(await page.getByRole('button', { name: 'Send laps: 1' }).isDisabled()).to.equal(true);
    await expectAccessible(page);
    await question.selectOption(second);
    await page.getByText('(as you say)').waitFor();
    await press(page, 'Send laps: 1');
    await page.getByText('Drivers checked in: 0').waitFor();
    const laps = await lapsOf('Eve Ash');
    expect(laps.map(({ participantId }) => participantId)).to.deep.equal([second]);
  });

  it('let the match of a driver be corrected before anything is sent, and say when laps were driven', async () => {
    const older = { firstName: 'Kay', lastName: 'Holt' };
    const wrong = idOf(await manager.create('/api/v1/check-ins', older));
    const right = idOf(await manager.create('/api/v1/check-ins', { firstName: 'Kay-Lee', lastName: 'Holt' }));
    const page = await open();
    await give(page, file('a.json', accFile(['Kay Holt'], [32])));
    const row = page.locator('tbody tr').filter({ hasText: 'Kay Holt' });
    const correction = page.locator('.mapping').filter({ hasText: 'Who is Kay Holt?' });
    await row.getByText('(found by name)').waitFor();
    await press(row, 'Somebody else');
    await expectAccessible(page);
    await pick(correction, 'Kay-Lee Holt');
    await row.getByText('(as you say)').waitFor();
    await press(row, 'Somebody else');
    await press(correction, 'Somebody new');
    await row.getByText('new: is checked in').waitFor();
    await press(row, 'Somebody else');
    await pick(correction, 'Kay-Lee Holt');
    await row.getByText('(as you say)').waitFor();

    const drivenAt = page.getByLabel('When the laps were driven');
    await drivenAt.fill('2126-05-01T20:15');
    await page.getByText('This time is still to come.').waitFor();
    const send = page.getByRole('button', { name: 'Send laps: 1' });
    expect(await send.isDisabled()).to.equal(true);
    await drivenAt.fill('2026-05-01T20:15');
    await send.click();
    await page.getByText('Drivers checked in: 0').waitFor();
    const [lap = {}] = await lapsOf('Kay-Lee Holt');
    const local = await page.evaluate<string>("new Date('2026-05-01T20:15').toISOString()");
    expect(lap).to.include({ participantId: right, drivenAt: local });
    expect(await lapsOf('Kay Holt')).to.deep.equal([]);

    // It is remembered, and corrected to somebody new.
    await give(page, file('b.json', accFile(['Kay Holt'], [32], 'spa', 95_000)));
    await row.getByText('(known from earlier)').waitFor();
    await press(row, 'Somebody else');
    await press(correction, 'Somebody new');
    await press(page, 'Send laps: 1');
    await page.getByText('Drivers checked in: 1').waitFor();
    const [another = {}] = await lapsOf('Kay Holt');
    expect([wrong, right]).to.not.include(another['participantId']);
    const { extraFieldsJson } = await manager.read(`/api/v1/participants/${right}`);
    expect(extraFieldsJson).to.deep.equal({ importedAs: [] });
  });

  it('come from folders that are dropped or chosen, with their paths', async () => {
    const folder = join(world.directory(), 'league');
    await mkdir(join(folder, 'round 1', 'day'), { recursive: true });
    await writeFile(join(folder, 'round 1', 'day', 'race.json'), accFile(['Lea Ash'], [32]));
    await writeFile(join(folder, 'round 1', 'practice.json'), accFile(['Max Elm'], [32]));
    await writeFile(join(folder, 'notes.txt'), 'no results');
    const page = await open();
    const box = await page.locator('.drop-zone').boundingBox();
    const at = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 };
    const session = await page.context().newCDPSession(page);
    // What the system tells a browser when somebody drops a folder.
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, ...at, data });
    }
    await page.getByRole('heading', { name: 'league/round 1/day/race.json' }).waitFor();
    await page.getByRole('heading', { name: 'league/round 1/practice.json' }).waitFor();
    await page.locator('section.problem').getByText('league/notes.txt').waitFor();
    expect(await page.locator('.result-files h3').count()).to.equal(2);

    const chosen = await open();
    await chosen.locator('.drop-zone input[type=file]').nth(1).setInputFiles(folder);
    await chosen.getByRole('heading', { name: 'league/round 1/day/race.json' }).waitFor();
    expect(await chosen.locator('.result-files h3').count()).to.equal(2);
  });

  it('take archives and many files, and say of each hostile one why it is left out', async () => {
    const page = await open('?lang=de');
    const bomb = zipOf([{ name: 'bomb.json', bytes: new Uint8Array(80_000_000) }]);
    const lie = zipOf([{ name: 'lie.json', bytes: new Uint8Array(1_000_000), saysBytes: 10 }]);
    const good = zipOf([{ name: 'night/good.json', bytes: accFile(['Fay Elm'], [32]) }]);
    const text = (content: string): Uint8Array => new TextEncoder().encode(content);
    await give(
      page,
      file('bomb.zip', bomb),
      file('lie.zip', lie),
      file('cut.zip', good.subarray(0, 60)),
      file('deep.json', text('['.repeat(100_000))),
      file('name.json', text(JSON.stringify({ TrackName: 'x'.repeat(10_000), Type: 'RACE', Laps: [], Result: [] }))),
      file('letter.txt', text('Dear Sir')),
      file('nul.json', text('{"a":"\u0000"}')),
      file('entity.xml', text('<!DOCTYPE a [<!ENTITY b "c">]><rFactorXML></rFactorXML>')),
      file('empty', new Uint8Array()),
      file('good.zip', good),
    );
    await page.getByRole('heading', { name: 'good.zip:night/good.json' }).waitFor();
    const reasons = await page.locator('section.problem li').allInnerTexts();
    expect(reasons).to.have.length(9);
    expect(reasons.join('\n'))
      .to.include('bomb.zip:bomb.json lässt sich nicht lesen: sie hat 80000000 Bytes; höchstens 67108864')
      .and.include('lie.zip:lie.json lässt sich nicht lesen: sie hat mehr als die 10 Bytes, die das Archiv nennt')
      .and.include('cut.zip lässt sich nicht lesen: ihm fehlt das Ende')
      .and.include('Ebenen tief verschachtelt')
      .and.include('10000 Zeichen; ein Name hat höchstens 256')
      .and.include('das ist nicht das Ergebnis eines bekannten Spiels')
      .and.include('Nullzeichen')
      .and.include('die Datei ist leer');
    await page.getByRole('button', { name: 'Runden senden: 1' }).waitFor();
    await expectAccessible(page);
  });

  it('are read beside the page, which answers meanwhile', async () => {
    const page = await open();
    const names = Array.from({ length: 20_000 }, () => 'Gus Lane');
    await page.evaluate(`{
      let before = performance.now();
      window.startedAt = before;
      window.longestPause = 0;
      const beat = () => {
        const now = performance.now();
        window.longestPause = Math.max(window.longestPause, now - before);
        before = now;
        setTimeout(beat);
      };
      setTimeout(beat);
    }`);
    await give(page, file('large.json', accFile(names, [])));
    await page.getByText('Laps: 20000', { exact: true }).waitFor();
    // On the page's own thread, nearly all of that time would be one pause.
    const share = await page.evaluate('window.longestPause / (performance.now() - window.startedAt)');
    expect(share).to.be.below(0.5);
  });

  it('fit a phone, and are offered to those who may send laps', async () => {
    const page = await open();
    await give(page, file('a.json', accFile(['Hal Birch', 'Ira Beech'], [32, 78])));
    await page.getByText('Car “78”').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
  });
});

describe('Sentences about result files', () => {
  it('are German where the page is: those about the files of each game', () => {
    for (const [name, bytes] of Object.entries(FILES)) {
      for (const note of planOf(bytes).warnings) expect(noteIn('de', note), `${name}: ${note}`).to.not.equal(note);
    }
  });

  it('name places and keep values', () => {
    expect(noteIn('de', 'the JSON is broken at line 3, column 7 (ValueExpected)')).to.equal(
      'das JSON ist defekt: Zeile 3, Spalte 7 (ValueExpected)',
    );
    expect(noteIn('de', 'A value is not a number; it was left out (2 times, first at laps[3]).')).to.equal(
      'Ein Wert ist keine Zahl; er ist weggelassen (2-mal, zuerst: laps[3]).',
    );
    expect(noteIn('en', 'the file is empty')).to.equal('the file is empty');
    expect(noteIn('de', 'something new')).to.equal('something new');
  });

  it('are all of the sentences that the parsers and the reader of archives can write', () => {
    const known = readFileSync('src/clients/web/texts/api/result-notes.json', 'utf8');
    const sources = ['text', 'read-results', 'rfactor', 'acc', 'iracing-csv', 'iracing-laps', 'ac-evo'];
    for (const source of sources) {
      const code = readFileSync(`src/clients/results/${source}.ts`, 'utf8');
      for (const [, sentence = ''] of code.matchAll(/warnings\.(?:add|count)\(\s*'([^']+)'/g)) {
        expect(known, `${source}: ${sentence}`).to.include(sentence.replace(/\.$/, ''));
      }
    }
  });
});
