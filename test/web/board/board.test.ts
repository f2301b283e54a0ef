import { expect } from 'chai';
import { localName, logoPath, logoScale, webAddress } from '../../../src/clients/web/board/brand.ts';
import { parametersOf, readChoices } from '../../../src/clients/web/board/choices.ts';
import { instantAt, replayClock, replayedAt, spanOf, stepOf } from '../../../src/clients/web/board/timeline.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const NOW = Date.UTC(2026, 4, 1, 20);
const iso = (ms: number): string => new Date(ms).toISOString();

describe('Pages: the time slider of a board', () => {
  it('goes from the first lap or the start, whichever was earlier, to now', () => {
    const [start, lap] = [iso(NOW - 2 * HOUR), iso(NOW - HOUR)];
    expect(spanOf([start, lap], NOW)).to.deep.equal({ from: NOW - 2 * HOUR, to: NOW });
    expect(spanOf([null, lap], NOW)).to.deep.equal({ from: NOW - HOUR, to: NOW });
    expect(spanOf([iso(NOW + HOUR), lap], NOW)).to.deep.equal({ from: NOW - HOUR, to: NOW });
    expect(spanOf([iso(NOW + HOUR), null], NOW)).to.equal(null);
  });

  it('has steps that are fine, and not too many', () => {
    expect(stepOf({ from: NOW - 60 * SECOND, to: NOW })).to.equal(SECOND);
    expect(stepOf({ from: NOW - 4 * HOUR, to: NOW })).to.equal(30 * SECOND);
    expect(stepOf({ from: NOW - 90 * 24 * HOUR, to: NOW })).to.equal(6 * HOUR);
    expect(stepOf({ from: 0, to: NOW })).to.equal(24 * HOUR);
  });

  it('stays within its span', () => {
    const span = { from: NOW - HOUR, to: NOW };
    expect(instantAt(span, NOW + 5)).to.equal(iso(NOW));
    expect(instantAt(span, 0)).to.equal(iso(NOW - HOUR));
  });

  it('follows a replay at its speed, from its position, and never ahead of now', () => {
    const replay = { from: iso(NOW - HOUR), speed: 10 };
    expect(replayClock(replay, null)).to.equal(null);
    const begun = replayClock(replay, { happened: iso(NOW - 2 * HOUR), cameAt: NOW });
    if (begun === null) throw new Error('the replay has a clock');
    expect(replayedAt(begun, NOW + 30 * SECOND)).to.equal(NOW - HOUR + 300 * SECOND);
    const later = replayClock(replay, { happened: iso(NOW - HOUR / 2), cameAt: NOW });
    if (later === null) throw new Error('the replay has a clock');
    expect(replayedAt(later, NOW + SECOND)).to.equal(NOW - HOUR / 2 + 10 * SECOND);
    expect(replayedAt(later, NOW + HOUR)).to.equal(NOW + HOUR);
    expect(replayClock(replay, { happened: null, cameAt: NOW })?.shown).to.equal(NOW - HOUR);
  });
});

describe('Pages: choices in the address of a board', () => {
  const id = '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06';

  it('are read and written alike', () => {
    const query = `layout=${id}&class=${id}&delay=30&at=2026-05-01T18%3A00%3A00.000Z&gap=next`;
    const choices = readChoices(new URLSearchParams(query));
    expect(choices).to.deep.equal({
      layout: id,
      carClass: id,
      delay: 30,
      at: '2026-05-01T18:00:00.000Z',
      gapTo: 'next',
    });
    const written = Object.entries(parametersOf(choices)).map(([name, value]): [string, string] => [name, value ?? '']);
    expect(new URLSearchParams(written).toString()).to.equal(query);
  });

  it('fall back if they are invalid', () => {
    const none = { layout: null, carClass: null, delay: 0, at: null, gapTo: 'leader' };
    expect(readChoices(new URLSearchParams())).to.deep.equal(none);
    const bad = 'layout=x&class=<script>&delay=-1&at=yesterday&gap=';
    expect(readChoices(new URLSearchParams(bad))).to.deep.equal(none);
    for (const delay of ['3601', '1e3', '5.5', '9'.repeat(400)])
      expect(readChoices(new URLSearchParams({ delay })).delay, delay).to.equal(0);
    expect(Object.values(parametersOf(readChoices(new URLSearchParams())))).to.deep.equal(Array(5).fill(null));
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
