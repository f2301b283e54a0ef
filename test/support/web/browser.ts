import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { z } from 'zod';

/** Browsers with windows, of which Lighthouse needs one. */
export const BROWSERS = ['/usr/bin/chromium', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The same engine without windows comes first: a page takes half as long in it. */
const COMMANDS = ['chromium-headless-shell', ...BROWSERS];

const OPTIONS = [
  ...['--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-popup-blocking'],
  // The first ones are Playwright's own, as the last list replaces it. The others start a process for each context, for a
  // list of suggestions below the address bar: two fifths of the CPU of a test that opens a page.
  `--disable-features=${[
    ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'PaintHolding'],
    ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'ThirdPartyStoragePartitioning'],
    ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
    ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ].join()}`,
  // Only this machine can be reached, whatever a page or the browser itself requests.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** The path of a program, as a variable (undefined: it is not set) or `PATH` names one, or null. */
export function findProgram(named: string | undefined, commands: readonly string[]): string | null {
  for (const command of named === undefined ? commands : [named]) {
    try {
      return execFileSync('sh', ['-c', 'command -v "$1"', 'sh', command], { encoding: 'utf8' }).trim();
    } catch {
      // Try the next one.
    }
  }
  return null;
}

/** The browser, or null. */
export const program = findProgram(process.env['BROWSER'], COMMANDS);

/**
 * A `describe` of tests in a browser; without a browser it is skipped, and its title says why. Pages are closed after each
 * test, unless another hook is given.
 */
export function describeInBrowser(
  title: string,
  tests: (this: Mocha.Suite, browser: Running) => void,
  closing: Mocha.HookFunction = afterEach,
): void {
  if (program === null) {
    // The reason is in the title: there is no browser.
    describe.skip(`${title} (needs chromium)`, function () {
      tests.call(this, new Running());
    });
    return;
  }
  describe(title, function () {
    const running = new Running();
    before(() => running.start(program));
    closing(() => running.closePages());
    after(() => running.stop());
    tests.call(this, running);
  });
}

/** Time limit of each step of a page, in ms: less than that of a test in mocha, so that a failure names the step. */
const PATIENCE_MS = 240_000;

/** A page, with violations of its policy and errors of its scripts. */
interface Watched {
  readonly page: Page;
  readonly faults: string[];
}

/** The browser of a `describe`, and the pages that its tests have opened. */
export class Running {
  #browser: Browser | null = null;
  #watched: Watched[] = [];

  async start(executablePath: string): Promise<void> {
    // Its sandbox does not work for root, nor in most containers.
    this.#browser = await chromium.launch({ executablePath, args: OPTIONS, chromiumSandbox: false });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /**
   * Opens an address in a tab that shares nothing with others; English, and without motion, unless `options` say
   * otherwise. Everything that the page does wrong is kept for `expectNoFaults`.
   */
  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.tab({ locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce', ...options });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) faults.push(message.text());
    });
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.#watched.push({ page, faults });
    await page.goto(url);
    return page;
  }

  /** An empty tab that shares nothing with others; its faults are not recorded. */
  async tab(options: BrowserContextOptions = {}): Promise<Page> {
    if (this.#browser === null) throw new Error('the browser runs from the first test on');
    const context = await this.#browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  }

  /** Closes the pages that were opened; none may have broken its policy, run into an error or opened a dialog. */
  async closePages(): Promise<void> {
    const watched = this.#watched;
    this.#watched = [];
    for (const { page } of watched) await page.context().close();
    expect(watched.flatMap(({ faults }) => faults)).to.deep.equal([]);
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const Violations = z.array(z.object({ id: z.string(), help: z.string(), nodes: z.array(z.string()) }));

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules that a page can keep in one theme and break in another. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Expects that a page keeps the rules of WCAG 2.2 AA that a program can check. */
export const expectAccessible = (page: Page): Promise<void> => expectRules(page, STANDARDS);

/** The same, of the rules that depend on the theme. */
export const expectReadableColours = (page: Page): Promise<void> => expectRules(page, OF_COLOURS);

async function expectRules(page: Page, rules: readonly string[]): Promise<void> {
  // Evaluated as DevTools would do it: the policy of the page would refuse a script tag.
  await page.evaluate(AXE);
  const found: unknown = await page.evaluate(`axe.run(document, {
    runOnly: ${JSON.stringify(rules)},
    resultTypes: ['violations'],
  }).then(({ violations }) => violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary),
  })))`);
  expect(Violations.parse(found)).to.deep.equal([]);
}
