import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { idOf, textOf, type Client } from '../support/api/client.ts';
import type { Service } from '../support/api/service.ts';
import { registerRig } from '../support/api/venue.ts';
import type { Running } from '../support/web/browser.ts';
import { CROWD } from '../support/web/crowd.ts';
import { NO_EFFORT, Person, secondsOf, sumOf, type Effort } from './person.ts';

/** What the night may cost. */
const BUDGETS = {
  publicEvent: { clicks: 25, seconds: 120 },
  /** Keys for each driver, beside the letters of the name. */
  keysPerDriver: 3,
  fortyDrivers: { seconds: 300 },
} as const;

/** What the venue takes over from the starter catalogue. */
const TAKEN_OVER = ['FIA GT3', 'Circuit de Spa-Francorchamps', 'Assetto Corsa Competizione'];

/** The rigs of the venue. The first one is made by clicks, the others register as the software of rigs does. */
const RIGS = 12;

/** Laps that each driver drives. */
const LAPS = 2;

/** How many drivers have driven when the picture of the seats is taken: others wait. */
const DRIVERS_ON_PICTURE = 20;

/** A rig of the venue, with a client of its key. */
interface Rig {
  readonly id: string;
  readonly name: string;
  readonly client: Client;
}

/** Writes a line. */
type Print = (line: string) => unknown;

/** The steps of the night, with what each has cost. */
class Ledger {
  readonly failures: string[] = [];
  readonly #print: Print;

  constructor(print: Print) {
    this.#print = print;
  }

  say(line: string): void {
    this.#print(line);
  }

  /** Does a step, prints what it has cost, and returns that. */
  async step(name: string, person: Person, action: () => Promise<void>): Promise<Effort> {
    await action();
    const effort = person.takeEffort();
    this.#show(name, effort);
    return effort;
  }

  total(name: string, effort: Effort): void {
    this.#show(name, effort);
  }

  /** Notes that something has cost more than it may. */
  check(what: string, actual: number, most: number): void {
    const isWithin = actual <= most;
    this.#print(`${isWithin ? 'ok  ' : 'OVER'}  ${what}: ${round(actual)} of at most ${most}`);
    if (!isWithin) this.failures.push(what);
  }

  #show(name: string, effort: Effort): void {
    const { clicks, keys, letters, fields } = effort;
    const counts = [clicks, keys, letters, fields].map((count) => String(count).padStart(7)).join('');
    this.#print(`${name.padEnd(32)}${counts}${secondsOf(effort).toFixed(1).padStart(9)}`);
  }
}

/** Times of the sectors of a lap of a driver, in ms: the second lap is a little faster. */
function sectorsOf(driver: number, lap: number): readonly number[] {
  const first = 41_212 + 37 * driver - 211 * lap;
  const second = 57_390 + 53 * ((7 * driver) % 40);
  const third = 38_723 + 29 * ((3 * driver) % 40);
  return [first, second, third];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * A whole night in a browser, from an empty store, by clicks and keys alone: what a venue owner, a front desk and a marshal
 * do. It tells what each step costs them, and takes pictures.
 */
export class Night {
  readonly #service: Service;
  readonly #browser: Running;
  readonly #pictures: string;
  readonly #ledger: Ledger;

  /** @param pictures the directory of the pictures, which exists */
  constructor(service: Service, browser: Running, pictures: string, print: Print) {
    this.#service = service;
    this.#browser = browser;
    this.#pictures = pictures;
    this.#ledger = new Ledger(print);
  }

  /** Plays it; returns what has cost more than it may. */
  async play(): Promise<readonly string[]> {
    this.#ledger.say(
      `${'step'.padEnd(32)}${['clicks', 'keys', 'letters', 'fields'].map((name) => name.padStart(7)).join('')}  seconds`,
    );
    const owner = new Person(await this.#open('/admin', { width: 1366, height: 768 }));
    const rigs = await this.#makeEvent(owner);
    await this.#checkIn(owner);
    await this.#drive(owner, rigs);
    await this.#strike();
    await this.#finish(owner);
    return this.#ledger.failures;
  }

  /** Returns the rigs, each with a client of its key. */
  async #makeEvent(owner: Person): Promise<readonly Rig[]> {
    const { page } = owner;
    const ledger = this.#ledger;
    let total = NO_EFFORT;
    const step = async (name: string, action: () => Promise<void>): Promise<void> => {
      total = sumOf(total, await ledger.step(name, owner, action));
    };
    await step('sign in', () => this.#signIn(owner));
    await page.getByRole('heading', { name: 'Before the first night' }).waitFor();
    await this.#picture(page, 'night-first');
    await step('the venue', async () => {
      await owner.clickOn('Enter', page.locator('.checklist'));
      await owner.click(page.getByRole('textbox', { name: 'Display name' }));
      await owner.type('Apex Lounge');
      await owner.clickOn('Save');
      await page.locator('.checklist li.done').filter({ hasText: 'Your venue' }).waitFor();
    });
    await step('starter catalogue', async () => {
      await owner.clickOn('From the catalogue');
      for (const name of TAKEN_OVER) await owner.clickOn(`Take over: ${name}`);
      await page
        .locator('.catalogue .done')
        .nth(TAKEN_OVER.length - 1)
        .waitFor();
      await this.#picture(page, 'night-catalogue');
      await owner.clickOn('Back to tonight');
    });
    let token = '';
    await step('a rig', async () => {
      const dialog = page.locator('dialog');
      await owner.clickOn('Add', page.locator('.checklist li[aria-current=step]'));
      await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
      await owner.press('Enter');
      token = await dialog.locator('input[readonly]').inputValue();
      await owner.clickOn('Done');
    });
    const rigs = await this.#registerRigs(token);
    await step('the event', async () => {
      await owner.click(page.locator('.checklist li[aria-current=step]').getByRole('link'));
      await owner.click(page.getByRole('button', { name: /^\+ FIA GT3/ }));
      await owner.clickOn('Start the night');
      await page.locator('.event-card [data-state=live]').waitFor();
    });
    await step('the wall', async () => {
      const popup = page.waitForEvent('popup');
      await owner.clickOn('Open the wall');
      await (await popup).locator('h1').waitFor();
    });
    ledger.total('= a public event', total);
    ledger.check('clicks to a public event', total.clicks, BUDGETS.publicEvent.clicks);
    ledger.check('seconds to a public event', secondsOf(total), BUDGETS.publicEvent.seconds);
    return rigs;
  }

  /** The rig with this token, and as many more as the venue has. */
  async #registerRigs(token: string): Promise<readonly Rig[]> {
    const { client } = this.#service;
    const [first = {}] = await client.list('/api/v1/rigs');
    const rigs: Rig[] = [{ id: idOf(first), name: textOf(first, 'name'), client: client.as(token) }];
    for (let n = 2; n <= RIGS; n += 1) {
      const name = `Rig ${n}`;
      const { rigId, rig } = await registerRig(client, textOf(first, 'licenseId'), `night-${n}`);
      await rig.change(`/api/v1/rigs/${rigId}`, { name });
      rigs.push({ id: rigId, name, client: rig });
    }
    return rigs;
  }

  async #checkIn(owner: Person): Promise<void> {
    const { page } = owner;
    const ledger = this.#ledger;
    await ledger.step('to the front desk', owner, () => owner.clickOn('Check-in', page.locator('.menu')));
    const field = page.getByLabel('Who is here?');
    await field.and(page.locator(':focus')).waitFor();
    const waiting = page.locator('.queue li');
    const effort = await ledger.step(`${CROWD.length} check-ins`, owner, async () => {
      for (const [first, last] of CROWD) {
        await owner.type(`${first} ${last}`);
        await owner.press('Enter');
      }
      await waiting.nth(CROWD.length - 1).waitFor();
    });
    await this.#picture(page, 'night-check-in');
    ledger.check('keys for a driver, beside the name', effort.keys / CROWD.length, BUDGETS.keysPerDriver);
    ledger.check(`seconds for ${CROWD.length} drivers`, secondsOf(effort), BUDGETS.fortyDrivers.seconds);
  }

  /** Seats one driver after the other, on one rig after the other; rigs send laps, which say nothing of driver and event. */
  async #drive(owner: Person, rigs: readonly Rig[]): Promise<void> {
    const { page } = owner;
    const { client } = this.#service;
    const [event = {}] = await client.list('/api/v1/events');
    const eventId = idOf(event);
    const lapBody = { carId: textOf(event, 'carIds', '0'), trackId: textOf(event, 'trackLayoutIds', '0') };
    const queue = await client.list(`/api/v1/events/${eventId}/queue`);
    await owner.clickOn('Seats', page.locator('.menu'));
    await this.#ledger.step('a seat for each', owner, async () => {
      for (const [n, queued] of queue.entries()) {
        const rig = rigs[n % rigs.length];
        if (rig === undefined) throw new Error('a night needs a rig');
        if (n === DRIVERS_ON_PICTURE) await this.#picture(page, 'night-seats');
        const name = textOf(queued, 'participantName');
        const tile = page.locator('.tile').filter({ has: page.getByText(rig.name, { exact: true }) });
        await owner.clickOn(name, page.locator('.queue'));
        await owner.click(tile.locator('.sit'));
        await tile.getByText(name, { exact: true }).waitFor();
        for (let lap = 0; lap < LAPS; lap += 1) {
          const sectors = sectorsOf(n, lap);
          const totalTime = sectors.reduce((sum, sector) => sum + sector, 0);
          await rig.client.create('/api/v1/laps', { ...lapBody, rigId: rig.id, sectors, totalTime, valid: true });
        }
      }
    });
    await this.#showWall(eventId);
  }

  async #showWall(eventId: string): Promise<void> {
    const viewport = { width: 1600, height: 900 };
    const options = { viewport, colorScheme: 'dark', reducedMotion: 'no-preference' } as const;
    const wall = await this.#browser.open(`${this.#service.url}/events/${eventId}`, options);
    await wall.getByText('Live', { exact: true }).first().waitFor();
    await wall.locator('tbody tr').nth(4).waitFor();
    await this.#picture(wall, 'night-wall');
  }

  async #strike(): Promise<void> {
    const marshal = new Person(await this.#open('/admin/review', { width: 390, height: 844 }));
    const { page } = marshal;
    await this.#signIn(marshal);
    marshal.takeEffort();
    const lap = page.locator('.lap').first();
    await this.#ledger.step('a lap struck on a phone', marshal, async () => {
      await marshal.clickOn('Invalidate', lap);
      await this.#picture(page, 'night-marshal');
      await marshal.click(page.locator('.reasons li button').first());
      await page.locator('.lap.invalid').waitFor();
    });
  }

  async #finish(owner: Person): Promise<void> {
    const { page } = owner;
    await this.#ledger.step('finish', owner, async () => {
      await owner.clickOn('Tonight', page.locator('.menu'));
      await page.locator('.newest-laps li').nth(7).waitFor();
      await page.locator('.rig-states li').first().waitFor();
      await page.locator('.event-card').getByText('Spa-Francorchamps').waitFor();
      await this.#picture(page, 'night-tonight');
      await owner.clickOn('Finish');
      await page.locator('.event-card.past').waitFor();
    });
    await this.#ledger.step('results', owner, async () => {
      await owner.clickOn('Results', page.locator('.event-card.past'));
      await page.locator('table').first().waitFor();
    });
    await this.#picture(page, 'night-results');
  }

  async #signIn(person: Person): Promise<void> {
    const { page } = person;
    await person.click(page.locator('#token'));
    await person.type(this.#service.client.token ?? '');
    await person.press('Enter');
    await page.locator('.shell main h1').first().waitFor();
  }

  #open(path: string, viewport: { readonly width: number; readonly height: number }): Promise<Page> {
    return this.#browser.open(this.#service.url + path, { viewport });
  }

  async #picture(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: join(this.#pictures, `${name}.png`) });
  }
}
