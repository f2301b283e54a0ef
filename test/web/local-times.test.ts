import { expect } from 'chai';
import {
  fromLocal,
  instantIn,
  joinLocal,
  marksOf,
  splitLocal,
  toLocal,
  zoneMark,
} from '../../src/clients/web/shared/local-times.ts';

const HOUR = 3_600_000;

/** Zones and the UTC hours around which their clocks change: an hour, half an hour, a day, and none. */
const CHANGES: readonly (readonly [zone: string, at: string])[] = [
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Europe/London', '2026-10-25T01:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Africa/Casablanca', '2025-02-23T02:00:00Z'],
  ['Africa/Casablanca', '2025-04-06T02:00:00Z'],
  ['America/St_Johns', '2026-11-01T04:30:00Z'],
  ['Asia/Beirut', '2026-10-24T21:00:00Z'],
  ['America/Santiago', '2026-04-05T03:00:00Z'],
  ['Pacific/Chatham', '2026-04-04T14:00:00Z'],
  ['Antarctica/Troll', '2026-03-29T01:00:00Z'],
  ['Antarctica/Troll', '2026-10-25T01:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00:00Z'],
  ['Asia/Manila', '2026-06-01T00:00:00Z'],
  ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
  ['UTC', '2026-03-29T01:00:00Z'],
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time that a zone shows at an instant (epoch ms), as the platform formats it. */
function shownAt(epochMs: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format.format(epochMs).replace(' ', 'T');
}

/** The local time of day of a zone at an instant (epoch ms). */
function clockAt(epochMs: number, timeZone: string): string {
  return shownAt(epochMs, timeZone).slice(11);
}

/** The last instant before which the clocks of a zone show another time of day than at `to`, to the minute. */
function changeBetween(from: number, to: number, timeZone: string): number {
  let earlier = from;
  let later = to;
  while (later - earlier > 60_000) {
    const middle = earlier + Math.floor((later - earlier) / 120_000) * 60_000;
    const ahead = (epochMs: number): number => Date.parse(`${shownAt(epochMs, timeZone)}Z`) - epochMs;
    if (ahead(middle) === ahead(to)) later = middle;
    else earlier = middle;
  }
  return later;
}

describe('Pages: local times', () => {
  it('are the same instant in both forms, at each quarter of an hour around a change of the clocks', () => {
    for (const [zone, at] of CHANGES) {
      for (let epochMs = Date.parse(at) - 30 * HOUR; epochMs < Date.parse(at) + 30 * HOUR; epochMs += HOUR / 4) {
        const instant = new Date(epochMs + 250).toISOString();
        const local = toLocal(instant, zone);
        expect(fromLocal(local, zone)?.instant, `${instant}, ${local} in ${zone}`).to.equal(instant);
        expect(splitLocal(local).shown.slice(0, 19)).to.equal(shownAt(epochMs, zone));
      }
    }
  });

  it('mean the first of two, and with none the offset before the change (RFC 5545)', () => {
    const rule: readonly (readonly [zone: string, local: string, instant: string, comes: string])[] = [
      ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z', 'skipped'],
      ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59:00.000Z', 'once'],
      ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z', 'once'],
      ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z', 'twice'],
      ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00:00.000Z', 'once'],
      ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z', 'skipped'],
      ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z', 'twice'],
      ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00.000Z', 'twice'],
      ['Australia/Lord_Howe', '2026-04-05T01:29', '2026-04-04T14:29:00.000Z', 'once'],
      ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z', 'skipped'],
      ['Africa/Casablanca', '2025-02-23T02:30', '2025-02-23T01:30:00.000Z', 'twice'],
      ['Africa/Casablanca', '2025-04-06T02:30', '2025-04-06T02:30:00.000Z', 'skipped'],
      ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00.000Z', 'skipped'],
      ['Pacific/Kwajalein', '1993-08-21T12:00', '1993-08-22T00:00:00.000Z', 'skipped'],
      ['Africa/Monrovia', '1970-01-01T00:00', '1970-01-01T00:44:30.000Z', 'once'],
      ['UTC', '2026-03-29T02:30', '2026-03-29T02:30:00.000Z', 'once'],
      ['UTC', '0026-05-01T20:00', '0026-05-01T20:00:00.000Z', 'once'],
    ];
    for (const [zone, local, instant, comes] of rule)
      expect(fromLocal(local, zone), `${local} in ${zone}`).to.deep.equal({ instant, comes });
    for (const local of ['', 'tomorrow', '2026-13-01T00:00', '2026-05-01T25:00'])
      expect(fromLocal(local, 'UTC'), local).to.equal(null);
  });

  it('mean what a calculation finds that tries each instant', () => {
    for (const [zone, at] of CHANGES) {
      const shown = new Map<string, number>();
      for (let epochMs = Date.parse(at) - 40 * HOUR; epochMs < Date.parse(at) + 40 * HOUR; epochMs += HOUR / 4) {
        const local = shownAt(epochMs, zone);
        if (!shown.has(local)) shown.set(local, epochMs);
      }
      for (const [local, epochMs] of shown) {
        // At its edges, the calculation has not seen the first of two.
        if (Math.abs(epochMs - Date.parse(at)) > 10 * HOUR) continue;
        expect(fromLocal(local, zone)?.instant, `${local} in ${zone}`).to.equal(new Date(epochMs).toISOString());
      }
    }
  });

  it('that come twice are marked, each with its own zone, and others are not', () => {
    const marks = (zone: string, instants: readonly string[], locale: string): readonly string[] =>
      instants.map((instant) => zoneMark(instant, zone, locale));
    const autumn = ['2026-11-01T05:29:59Z', '2026-11-01T06:29:59Z', '2026-11-01T04:59:59Z', '2026-11-01T07:00:00Z'];
    expect(marks('America/New_York', autumn, 'en-US')).to.deep.equal(['EDT', 'EST', '', '']);
    expect(marks('America/New_York', autumn, 'en-GB')).to.deep.equal(['GMT-4', 'GMT-5', '', '']);
    expect(marks('Europe/Berlin', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'], 'de-DE')).to.deep.equal([
      ...['MESZ', 'MEZ'],
    ]);
    expect(marks('Australia/Lord_Howe', ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'], 'en')).to.deep.equal([
      ...['GMT+11', 'GMT+10:30'],
    ]);
    expect(marksOf('2026-11-01T01:30', 'America/New_York', 'en-US')).to.deep.equal(['EDT', 'EST']);
    for (const local of ['2026-11-01T02:30', '2026-03-08T02:30', ''])
      expect(marksOf(local, 'America/New_York', 'en-US'), local).to.deep.equal([]);
  });

  it('have marks that differ in each zone of the platform', () => {
    const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month));
    let found = 0;
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (const [month, from] of months.entries()) {
        const to = months[month + 1] ?? Date.UTC(2027, 0);
        if (clockAt(from, zone) === clockAt(to, zone)) continue;
        const local = shownAt(changeBetween(from, to, zone), zone);
        const comes = fromLocal(local, zone)?.comes;
        if (comes !== 'twice') continue;
        found += 1;
        for (const locale of ['en-GB', 'en-US', 'de-DE']) {
          const marks = marksOf(local, zone, locale);
          expect(new Set(marks), `${local} in ${zone}`).to.have.property('size', 2);
        }
      }
    }
    expect(found).to.be.greaterThan(50);
  });

  it('are the second of two only if somebody chooses it', () => {
    const second = joinLocal('2026-11-01T01:30', true);
    expect(fromLocal(second, 'America/New_York')?.instant).to.equal('2026-11-01T06:30:00.000Z');
    expect(toLocal('2026-11-01T06:30:00.000Z', 'America/New_York')).to.equal(second);
    expect(splitLocal(second)).to.deep.equal({ shown: '2026-11-01T01:30', isSecond: true });
    // Another zone has it once.
    expect(fromLocal(second, 'UTC')?.instant).to.equal('2026-11-01T01:30:00.000Z');
    expect(joinLocal('', true)).to.equal('');
  });

  it('of an address have a zone or an offset, or are those of the page, by the same rule', () => {
    const zone = 'America/New_York';
    const instants = {
      '2026-05-01T20:15:00Z': '2026-05-01T20:15:00.000Z',
      '2026-05-01T20:15:00.123z': '2026-05-01T20:15:00.123Z',
      '2026-05-01T20:15:00+02:00': '2026-05-01T18:15:00.000Z',
      // A plus that is not encoded.
      '2026-05-01T20:15:00 02:00': '2026-05-01T18:15:00.000Z',
      '2026-05-01T20:15': '2026-05-02T00:15:00.000Z',
      '2026-05-01': '2026-05-01T04:00:00.000Z',
      '2026-03-08T02:30': '2026-03-08T07:30:00.000Z',
      '2026-11-01T01:30:00': '2026-11-01T05:30:00.000Z',
      '2026-11-01T01:30:00-05:00': '2026-11-01T06:30:00.000Z',
    };
    for (const [text, instant] of Object.entries(instants)) expect(instantIn(text, zone), text).to.equal(instant);
    for (const text of [
      ...['', 'yesterday', '1', 'May 1 2026', '2026', '2026-05', '2026-02-30T10:00', '2026-05-01T24:00', '2026-05-01Z'],
      ...[
        '2026-05-01T25:00',
        '2026-05-01T10:00+1',
        '2026-05-01T10:00 CEST',
        '２０２６-05-01T10:00',
        '2026-05-01T10:00Zx',
      ],
    ])
      expect(instantIn(text, zone), text).to.equal(null);
  });
});
