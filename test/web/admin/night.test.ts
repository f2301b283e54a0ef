import { expect } from 'chai';
import { fieldOf } from '../../../src/clients/web/admin/api/fields.ts';
import { nightOf } from '../../../src/clients/web/admin/tonight/night.ts';
import { repeatedToday } from '../../../src/clients/web/admin/tonight/repeat.ts';
import type { JsonObject } from '../../../src/clients/web/shared/json.ts';

const ZONE = 'Europe/Berlin';
const inBerlin = (): string => ZONE;
const NOW = '2026-05-02T16:30:40.000Z';

function event(name: string, state: string, startsAt: string | null): JsonObject {
  return { id: name, name, state, startsAt, createdAt: '2026-01-01T00:00:00.000Z' };
}

const namesIn = (events: readonly JsonObject[]) => events.map(({ name }) => name);

describe('Pages: what goes on tonight', () => {
  it('is what is live, then what comes next; the last one is what began last', () => {
    const night = nightOf(
      [
        event('last year', 'finished', '2025-05-01T18:00:00.000Z'),
        event('next week', 'upcoming', '2026-05-09T18:00:00.000Z'),
        event('tomorrow', 'upcoming', '2026-05-03T18:00:00.000Z'),
        event('now', 'live', '2026-05-02T16:00:00.000Z'),
        event('never finished', 'live', '2026-04-01T16:00:00.000Z'),
        event('yesterday', 'finished', '2026-05-01T18:00:00.000Z'),
      ],
      NOW,
      inBerlin,
    );
    expect(namesIn(night.running)).to.deep.equal(['now', 'never finished']);
    expect(night.next?.['name']).to.equal('tomorrow');
    expect(night.last?.['name']).to.equal('now');
    expect(night.hasToday).to.equal(true);
  });

  it('is an event without a date only where no other one goes on', () => {
    const undated = event('undated', 'live', null);
    expect(namesIn(nightOf([undated], NOW, inBerlin).running)).to.deep.equal(['undated']);
    const other = event('now', 'live', '2026-05-02T16:00:00.000Z');
    expect(namesIn(nightOf([undated, other], NOW, inBerlin).running)).to.deep.equal(['now']);
  });

  it('counts as today by the clock of the venue', () => {
    const late = [event('late', 'upcoming', '2026-05-02T22:30:00.000Z')];
    expect(nightOf(late, NOW, inBerlin).hasToday, 'half past midnight in Berlin').to.equal(false);
    expect(nightOf(late, NOW, () => 'America/New_York').hasToday).to.equal(true);
    expect(nightOf([event('over', 'finished', '2026-05-02T08:00:00.000Z')], NOW, inBerlin).hasToday).to.equal(false);
  });
});

describe('Pages: repeating an event', () => {
  const fields = ['name', 'startsAt', 'endsAt', 'carIds', 'enabled'].map((name) => fieldOf(name, {}, true, () => ({})));
  const before = {
    id: 'x',
    name: 'Friday',
    carIds: ['a', 'b'],
    enabled: false,
    finishedAt: '2026-03-27T21:00:00.000Z',
    state: 'finished',
  };

  it('moves it to today, at the same times of day though the clocks have changed since, and makes it public', () => {
    const startsAt = '2026-03-27T19:00:00.000Z';
    const endsAt = '2026-03-27T23:30:00.000Z';
    expect(repeatedToday({ ...before, startsAt, endsAt }, fields, NOW, ZONE)).to.deep.equal({
      name: 'Friday',
      carIds: ['a', 'b'],
      enabled: true,
      startsAt: '2026-05-02T18:00:00.000Z',
      endsAt: '2026-05-02T22:30:00.000Z',
    });
  });

  it('leaves out an end that is over already, and begins now what had no beginning', () => {
    const over = { ...before, startsAt: '2026-05-01T08:00:00.000Z', endsAt: '2026-05-01T10:00:00.000Z' };
    expect(repeatedToday(over, fields, NOW, ZONE)).to.deep.include({
      startsAt: '2026-05-02T08:00:00.000Z',
      endsAt: null,
    });
    const undated = { ...before, startsAt: null, endsAt: null };
    expect(repeatedToday(undated, fields, NOW, ZONE)).to.deep.include({
      startsAt: '2026-05-02T16:30:00.000Z',
      endsAt: null,
    });
  });
});
