import { expect } from 'chai';
import type { LiveMessage } from '../../../src/clients/web/live/messages.ts';
import { statusAt, type StreamFacts } from '../../../src/clients/web/live/status.ts';
import {
  LiveStream,
  streamUrl,
  type Refusal,
  type SourceHandlers,
  type StreamOptions,
} from '../../../src/clients/web/live/stream.ts';
import { manualClock } from '../../support/kernel/manual-clock.ts';

const OPTIONS: StreamOptions = { eventId: 'e1', delaySeconds: 0 };
const START = Date.UTC(2026, 4, 1);
const iso = (ms: number): string => new Date(ms).toISOString();

/** A browser with a manual clock, which follows a stream. */
class Browser {
  readonly #clock = manualClock();
  readonly connections: { readonly url: string; readonly handlers: SourceHandlers; open: boolean }[] = [];
  refusal: Refusal | null = null;
  readonly heard: LiveMessage[] = [];
  readonly wholes: boolean[] = [];
  facts: StreamFacts = { phase: 'connecting', heardAt: null, clockDifferences: [], lateness: null };
  readonly stream: LiveStream;

  constructor(options: StreamOptions = OPTIONS) {
    this.stream = new LiveStream(
      options,
      {
        message: (message, complete) => {
          this.heard.push(message);
          this.wholes.push(complete);
        },
        facts: (facts) => (this.facts = facts),
      },
      {
        connect: (url, _names, handlers) => {
          const connection = { url, handlers, open: true };
          this.connections.push(connection);
          return { close: () => (connection.open = false) };
        },
        whyRefused: () => Promise.resolve(this.refusal),
        now: () => this.now,
        random: () => 1,
        later: (ms, run) => this.#clock.after(ms, run),
      },
    );
  }

  get now(): number {
    return START + this.#clock.now();
  }

  get connection() {
    return this.connections.at(-1) ?? expect.fail('there is no connection');
  }

  get status(): string {
    const status = statusAt(this.facts, this.now);
    return 'seconds' in status ? `${status.kind} ${status.seconds}` : status.kind;
  }

  pass(seconds: number): void {
    this.#clock.pass(seconds * 1_000);
  }

  /** The machine sleeps: time passes, and no timer runs. */
  sleep(seconds: number): void {
    this.#clock.set(seconds * 1_000);
  }

  send(name: string, data: object, id = ''): void {
    this.connection.handlers.message(name, JSON.stringify(data), id);
  }

  beat(behindMs = 0): void {
    this.send('heartbeat', { now: iso(this.now), behindMs });
  }

  lap(id: string, ageSeconds = 0): void {
    this.send('lap', { lap: {}, left: false, at: iso(this.now - ageSeconds * 1_000) });
    this.send('rows', { rows: [] }, id);
  }

  async refused(refusal: Refusal | null): Promise<void> {
    this.refusal = refusal;
    this.connection.handlers.failed(true);
    // The stream asks why it was refused, and is answered.
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe('Pages: following the live stream', () => {
  it('requests what its options say', () => {
    const filter = { trackLayoutId: 't', carClassId: 'c' };
    expect(streamUrl({ ...OPTIONS, ...filter, delaySeconds: 30 }, '7')).to.equal(
      '/api/v1/events/e1/live?trackLayoutId=t&carClassId=c&delaySeconds=30&after=7',
    );
    expect(streamUrl(OPTIONS, null)).to.equal('/api/v1/events/e1/live');
    const replay = { from: '2026-05-01T18:00:00.000Z', speed: 5 };
    expect(streamUrl({ ...OPTIONS, delaySeconds: 30, replay }, null)).to.equal(
      '/api/v1/events/e1/live?from=2026-05-01T18%3A00%3A00.000Z&speed=5&delaySeconds=30',
    );
  });

  it('says which message completes a change', () => {
    const browser = new Browser();
    browser.lap('4');
    browser.beat();
    browser.lap('5');
    expect(browser.heard.map(({ name }) => name)).to.deep.equal(['lap', 'rows', 'heartbeat', 'lap', 'rows']);
    expect(browser.wholes).to.deep.equal([false, true, false, false, true]);
  });

  it('resumes after the last complete change when the browser gives up', async () => {
    const browser = new Browser();
    browser.lap('4');
    browser.send('lap', { lap: {}, left: false, at: iso(browser.now) }, '4');
    await browser.refused({ status: 503, retryAfterMs: 0 });
    expect(browser.status).to.equal('reconnecting 0');
    browser.pass(1);
    expect(browser.connections.map(({ url }) => url)).to.deep.equal([
      '/api/v1/events/e1/live',
      '/api/v1/events/e1/live?after=4',
    ]);
    browser.connection.handlers.opened();
    expect(browser.status).to.equal('live');
  });

  it('waits longer each time, and at least as long as the service asks', async () => {
    const browser = new Browser();
    const waits: number[] = [];
    for (const retryAfterMs of [0, 0, 0, 0, 0, 0, 30_000]) {
      await browser.refused({ status: 429, retryAfterMs });
      const { now, connections } = browser;
      const { length } = connections;
      while (connections.length === length) browser.pass(0.5);
      waits.push((browser.now - now) / 1_000);
    }
    expect(waits).to.deep.equal([1, 2, 4, 8, 15, 15, 30]);
  });

  it('stops if there is no such event', async () => {
    const browser = new Browser();
    await browser.refused({ status: 404, retryAfterMs: 0 });
    browser.pass(3_600);
    expect([browser.status, browser.connections.length]).to.deep.equal(['missing', 1]);
  });

  it('starts again if its position is not known', async () => {
    const browser = new Browser();
    browser.lap('4');
    await browser.refused({ status: 400, retryAfterMs: 0 });
    browser.pass(1);
    expect(browser.connection.url).to.equal('/api/v1/events/e1/live');
  });

  it('asks for the board if what it has missed is refused again', async () => {
    const browser = new Browser();
    browser.lap('4');
    await browser.refused({ status: 429, retryAfterMs: 0 });
    browser.pass(1);
    expect(browser.connection.url).to.equal('/api/v1/events/e1/live?after=4');
    await browser.refused({ status: 429, retryAfterMs: 0 });
    browser.pass(2);
    expect(browser.connection.url).to.equal('/api/v1/events/e1/live');
  });

  it('lets the browser reconnect, and does so itself when nothing is heard for too long', () => {
    const browser = new Browser();
    browser.lap('4');
    browser.connection.handlers.failed(false);
    browser.pass(4);
    expect([browser.status, browser.connections.length]).to.deep.equal(['reconnecting 4', 1]);
    browser.connection.handlers.opened();
    expect(browser.status).to.equal('live');
    browser.pass(16);
    expect(browser.status).to.equal('live');
    browser.pass(5);
    expect(browser.status).to.equal('reconnecting 21');
    browser.pass(5);
    expect(browser.connections.map(({ open }) => open)).to.deep.equal([false, true]);
    expect(browser.connection.url).to.equal('/api/v1/events/e1/live?after=4');
  });

  it('stays with a stream that is quiet but alive', () => {
    const browser = new Browser();
    for (let n = 0; n < 40; n += 1) {
      browser.pass(15);
      browser.beat();
    }
    expect([browser.status, browser.connections.length]).to.deep.equal(['live', 1]);
  });

  it('is back as soon as the machine wakes up', () => {
    const browser = new Browser();
    const { stream } = browser;
    browser.lap('4');
    stream.wake();
    expect(browser.connections).to.have.length(1);
    browser.sleep(600);
    expect(browser.status).to.equal('reconnecting 600');
    stream.wake();
    expect(browser.connection.url).to.equal('/api/v1/events/e1/live?after=4');
  });

  it('tries at once when the page becomes visible while it waits', async () => {
    const browser = new Browser();
    const { stream } = browser;
    await browser.refused({ status: 503, retryAfterMs: 60_000 });
    stream.wake();
    expect(browser.connections).to.have.length(1);
    browser.lap('1');
    await browser.refused({ status: 503, retryAfterMs: 60_000 });
    stream.wake();
    expect(browser.connections).to.have.length(2);
    browser.pass(120);
    expect(browser.connections.filter(({ open }) => open)).to.have.length(1);
  });

  it('is over when it is closed', async () => {
    const browser = new Browser();
    const { stream } = browser;
    browser.lap('4');
    const refused = browser.refused({ status: 503, retryAfterMs: 0 });
    stream.close();
    await refused;
    stream.wake();
    browser.pass(600);
    expect(browser.connections.map(({ open }) => open)).to.deep.equal([false]);
  });
});

describe('Pages: how current a board is', () => {
  it('says how far the service is behind', () => {
    const browser = new Browser();
    browser.beat(3_000);
    expect(browser.status).to.equal('behind 3');
    browser.pass(10);
    expect(browser.status).to.equal('behind 3');
    browser.beat(0);
    expect(browser.status).to.equal('live');
  });

  it('says how late news comes, until it has caught up', () => {
    const browser = new Browser();
    browser.beat();
    browser.lap('1', 40);
    expect(browser.status).to.equal('behind 40');
    browser.lap('2', 1);
    expect(browser.status).to.equal('live');
    browser.lap('3', 12);
    browser.pass(4);
    expect(browser.status).to.equal('live');
  });

  it('copes with a wrong clock', () => {
    const browser = new Browser();
    const wrong = 3_600_000;
    browser.send('heartbeat', { now: iso(browser.now - wrong), behindMs: 0 });
    browser.send('lap', { lap: {}, left: false, at: iso(browser.now - wrong) });
    expect(browser.status).to.equal('live');
    browser.send('lap', { lap: {}, left: false, at: iso(browser.now - wrong - 5_000) });
    expect(browser.status).to.equal('behind 5');
  });

  it('notices that heartbeats themselves are late', () => {
    const browser = new Browser();
    browser.beat();
    browser.send('heartbeat', { now: iso(browser.now - 6_000), behindMs: 0 });
    expect(browser.status).to.equal('behind 6');
  });

  it('does not count the chosen delay as lateness', () => {
    const browser = new Browser({ ...OPTIONS, delaySeconds: 30 });
    browser.beat();
    browser.lap('1', 30);
    expect(browser.status).to.equal('live');
    browser.lap('2', 35);
    expect(browser.status).to.equal('behind 5');
  });

  it('is not late in a replay', () => {
    const browser = new Browser({ ...OPTIONS, replay: { from: iso(START - 3_600_000), speed: 1 } });
    browser.beat();
    browser.lap('1', 3_600);
    expect(browser.status).to.equal('live');
  });
});
