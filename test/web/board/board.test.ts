import { expect } from 'chai';
import { localName, logoScale, webAddress } from '../../../src/clients/web/board/brand.ts';
import { logoPath } from '../../../src/clients/web/shared/logo.ts';
import { parametersOf, readChoices } from '../../../src/clients/web/board/choices.ts';
import { timeLeft } from '../../../src/clients/web/board/time-left.ts';
import { placeOf, replayClock, replayedAt } from '../../../src/clients/web/board/timeline.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const NOW = Date.UTC(2026, 4, 1, 20);
const iso = (ms: number): string => new Date(ms).toISOString();

describe('Pages: the time slider of a board', () => {
  it('stands at the last lap until an instant', () => {
    const moments = [iso(NOW), iso(NOW + SECOND), iso(NOW + 90 * 24 * HOUR)];
    expect([-SECOND, 0, 999, SECOND, HOUR].map((ms) => placeOf(moments, iso(NOW + ms)))).to.deep.equal([0, 0, 0, 1, 1]);
    expect(placeOf(moments, iso(NOW + 91 * 24 * HOUR))).to.equal(2);
    expect(placeOf([], iso(NOW))).to.equal(0);
  });

  it('follows a replay at its speed, from its position, and never ahead of now', () => {
    const replay = { from: iso(NOW - HOUR), speed: 10 };
    expect(replayClock(replay, null)).to.equal(null);
    const clock = (happened: string) =>
      replayClock(replay, { happened, cameAt: NOW }) ?? expect.fail('there is no clock');
    const begun = clock(iso(NOW - 2 * HOUR));
    expect(replayedAt(begun, NOW + 30 * SECOND)).to.equal(NOW - HOUR + 300 * SECOND);
    const later = clock(iso(NOW - HOUR / 2));
    expect(replayedAt(later, NOW + SECOND)).to.equal(NOW - HOUR / 2 + 10 * SECOND);
    expect(replayedAt(later, NOW + HOUR)).to.equal(NOW + HOUR);
    expect(replayClock(replay, { happened: null, cameAt: NOW })?.shown).to.equal(NOW - HOUR);
  });
});

describe('Pages: the time until an event starts', () => {
  it('is shown to the second, and days before in hours', () => {
    const shown = [1, 999, 1_000, 65_000, HOUR, HOUR + 5_000, 47 * HOUR, 48 * HOUR, 75 * HOUR].map(timeLeft);
    expect(shown.join(', ')).to.equal('0:01, 0:01, 0:01, 1:05, 1:00:00, 1:00:05, 47:00:00, 2 d 0 h, 3 d 3 h');
  });
});

describe('Pages: choices in the address of a board', () => {
  const id = '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06';

  it('are read and written alike', () => {
    const query = `layout=${id}&class=${id}&delay=30&at=2026-05-01T18%3A00%3A00.000Z&gap=next&pages=on&driver=${id}&layouts=turn`;
    const choices = readChoices(new URLSearchParams(query));
    expect(choices).to.deep.equal({
      layout: id,
      carClass: id,
      delay: 30,
      view: { kind: 'past', at: '2026-05-01T18:00:00.000Z' },
      gapTo: 'next',
      pages: 'on',
      driver: id,
      areLayoutsTurning: true,
    });
    const written = Object.entries(parametersOf(choices)).map(([name, value]): [string, string] => [name, value ?? '']);
    expect(new URLSearchParams(written).toString()).to.equal(query);
  });

  it('fall back if they are invalid', () => {
    const none = {
      layout: null,
      carClass: null,
      delay: 0,
      view: { kind: 'live' },
      gapTo: 'leader',
      pages: null,
      driver: null,
      areLayoutsTurning: false,
    };
    expect(readChoices(new URLSearchParams())).to.deep.equal(none);
    const bad = 'layout=x&class=<script>&delay=-1&at=yesterday&gap=&pages=1&driver=me&layouts=all';
    expect(readChoices(new URLSearchParams(bad))).to.deep.equal(none);
    for (const delay of ['3601', '1e3', '5.5', '9'.repeat(400)])
      expect(readChoices(new URLSearchParams({ delay })).delay, delay).to.equal(0);
    expect(Object.values(parametersOf(readChoices(new URLSearchParams())))).to.deep.equal(Array(8).fill(null));
  });

  it('have local moments in the zone of the page, by the rule of its forms', () => {
    const at = (moment: string, tz: string): unknown => readChoices(new URLSearchParams({ at: moment, tz })).view;
    const past = (instant: string) => ({ kind: 'past', at: instant });
    expect(at('2026-05-01T20:15', 'Europe/Berlin')).to.deep.equal(past('2026-05-01T18:15:00.000Z'));
    expect(at('2026-10-25T02:30', 'Europe/Berlin')).to.deep.equal(past('2026-10-25T00:30:00.000Z'));
    expect(at('2026-03-08T02:30', 'America/New_York')).to.deep.equal(past('2026-03-08T07:30:00.000Z'));
    expect(at('2026-02-30T02:30', 'America/New_York')).to.deep.equal({ kind: 'live' });
  });
});

describe('Pages: sponsors and names of a board', () => {
  it('shows only logos that this service has', () => {
    expect(logoPath({ logo: 'BRAND/ä b/logo#1.svg', logoUrl: false })).to.equal('/cdn/BRAND/%C3%A4%20b/logo%231.svg');
    expect(logoPath({ logo: 'https://example.com/logo.svg', logoUrl: true })).to.equal(null);
    for (const logo of ['', 'logo.svg', '//example.com/x.svg', 'javascript:alert(1)'])
      expect(logoPath({ logo, logoUrl: false }), logo).to.equal(null);
    expect([1, 100, 9_999].map(logoScale)).to.deep.equal([0.4, 1, 1.6]);
  });

  it('links to web addresses only', () => {
    expect(webAddress('https://example.com')).to.equal('https://example.com/');
    for (const text of ['javascript:alert(1)', ' jAvAscript:alert(1)', 'data:text/html,x', 'example.com', ''])
      expect(webAddress(text), text).to.equal(null);
  });

  it('knows the name of an event in a language, if there is one', () => {
    expect(localName({ de: { name: 'Abend' } }, 'de')).to.equal('Abend');
    for (const i18n of [null, {}, { de: null }, { de: 'Abend' }, { de: { name: 7 } }, { de: { name: ' ' } }])
      expect(localName(i18n, 'de'), JSON.stringify(i18n)).to.equal(null);
  });
});
