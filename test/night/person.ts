import type { Locator, Page } from 'playwright-core';

/** What people do on a page, counted. */
export interface Effort {
  readonly clicks: number;
  /** Keys that are no text, such as Enter. */
  readonly keys: number;
  readonly letters: number;
  /** Fields that something is entered in. */
  readonly fields: number;
}

export const NO_EFFORT: Effort = { clicks: 0, keys: 0, letters: 0, fields: 0 };

/** How long each takes somebody who knows the page, in s: a model, so that it is the same on every machine. */
const SECONDS = { click: 1.5, key: 0.35, letter: 0.25, field: 1.2 } as const;

export function secondsOf({ clicks, keys, letters, fields }: Effort): number {
  return clicks * SECONDS.click + keys * SECONDS.key + letters * SECONDS.letter + fields * SECONDS.field;
}

export function sumOf(a: Effort, b: Effort): Effort {
  return {
    clicks: a.clicks + b.clicks,
    keys: a.keys + b.keys,
    letters: a.letters + b.letters,
    fields: a.fields + b.fields,
  };
}

const graphemes = new Intl.Segmenter();

/** Somebody at a page, who has nothing but a mouse (or a finger) and a keyboard. */
export class Person {
  readonly page: Page;
  #effort = NO_EFFORT;

  constructor(page: Page) {
    this.page = page;
  }

  /** What was done since the last call. */
  takeEffort(): Effort {
    const effort = this.#effort;
    this.#effort = NO_EFFORT;
    return effort;
  }

  async click(what: Locator): Promise<void> {
    await what.click();
    this.#effort = { ...this.#effort, clicks: this.#effort.clicks + 1 };
  }

  /** Clicks a button or a link by its name. */
  async clickOn(name: string, within: Page | Locator = this.page): Promise<void> {
    const named = { name, exact: true };
    await this.click(within.getByRole('button', named).or(within.getByRole('link', named)).first());
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    const letters = this.#effort.letters + [...graphemes.segment(text)].length;
    this.#effort = { ...this.#effort, letters, fields: this.#effort.fields + 1 };
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.#effort = { ...this.#effort, keys: this.#effort.keys + 1 };
  }
}
