import { expect } from 'chai';
import { groupedEvents, phaseAt } from '../../../src/clients/web/home/groups.ts';

const NOW = Date.parse('2026-05-01T20:00:00Z');

describe('Pages: the order of events', () => {
  const event = (name: string, startsAt: string | null, endsAt: string | null = null) => ({
    name,
    startsAt,
    endsAt,
    finishedAt: null,
  });

  it('is what runs, what comes, what has no date, and what was, by days', () => {
    const events = [
      event('next month', '2026-06-01T18:00:00Z'),
      event('tomorrow', '2026-05-02T18:00:00Z'),
      event('tomorrow early', '2026-05-02T08:00:00Z'),
      event('tonight', '2026-05-01T18:00:00Z', '2026-05-01T22:00:00Z'),
      event('yesterday', '2026-04-30T08:00:00Z', '2026-04-30T09:00:00Z'),
      event('last year', '2025-05-01T08:00:00Z', '2025-05-01T09:00:00Z'),
      event('always', null),
    ];
    const groups = groupedEvents(events, NOW, ({ startsAt }) => (startsAt ?? '').slice(0, 10));
    const shown = groups.map(({ phase, day, events: ofDay }) => [phase, day, ofDay.map(({ name }) => name).join(', ')]);
    expect(shown).to.deep.equal([
      ['running', null, 'tonight'],
      ['coming', '2026-05-02', 'tomorrow early, tomorrow'],
      ['coming', '2026-06-01', 'next month'],
      ['undated', null, 'always'],
      ['past', '2026-04-30', 'yesterday'],
      ['past', '2025-05-01', 'last year'],
    ]);
    expect(groupedEvents([], NOW, () => '')).to.deep.equal([]);
  });

  it('follows the state of an event', () => {
    const open = event('open', '2026-05-01T18:00:00Z');
    expect(phaseAt(open, NOW)).to.equal('running');
    expect(phaseAt(open, NOW - 3 * 3_600_000)).to.equal('coming');
    expect(phaseAt({ ...open, finishedAt: '2026-05-01T19:00:00Z' }, NOW)).to.equal('past');
  });
});
