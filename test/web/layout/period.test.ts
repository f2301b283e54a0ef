import { expect } from 'chai';
import { startOf } from '../../../src/clients/web/layout/period.ts';

/** A Sunday: 23:30 in Berlin, and Monday already in Tokyo. */
const NOW = Date.parse('2026-03-29T21:30:00Z');

describe('Pages: the periods of the board of a layout', () => {
  const cases = [
    ['today', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['today', 'Asia/Tokyo', '2026-03-29T15:00:00.000Z'],
    ['today', 'America/New_York', '2026-03-29T04:00:00.000Z'],
    ['week', 'Europe/Berlin', '2026-03-22T23:00:00.000Z'],
    ['week', 'Asia/Tokyo', '2026-03-29T15:00:00.000Z'],
    ['month', 'Europe/Berlin', '2026-02-28T23:00:00.000Z'],
    ['year', 'Europe/Berlin', '2025-12-31T23:00:00.000Z'],
    ['year', 'UTC', '2026-01-01T00:00:00.000Z'],
    ['ever', 'Europe/Berlin', null],
  ] as const;
  for (const [period, zone, start] of cases) {
    it(`${period} in ${zone} began at ${start ?? 'no moment'}`, () =>
      expect(startOf(period, NOW, zone)).to.equal(start));
  }

  it('begin with a week that began last year', () =>
    expect(startOf('week', Date.parse('2026-01-01T12:00:00Z'), 'UTC')).to.equal('2025-12-29T00:00:00.000Z'));
});
