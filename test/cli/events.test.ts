import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { KEY_CLAIMED } from '../../src/kernel/aggregate/claims.ts';
import type { NewEvent } from '../../src/kernel/ports/event-store.ts';
import { textOf } from '../support/api/client.ts';
import { jsonLines } from '../support/json-lines.ts';
import {
  expectCode,
  callCommand,
  record,
  startCommand,
  expectRefusedUses,
} from '../support/processes/command-process.ts';
import { MAIN } from '../support/processes/script.ts';
import { newEvent, newEvents } from '../support/event-store/events.ts';
import { Running, World } from '../support/processes/world.ts';

const PERSON = {
  licenseId: 'l-1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phoneNumber: '555-0100',
  extraFieldsJson: { allergies: 'nuts' },
};

/** Shown only on request. */
const PERSONAL = /Ada|Lovelace|example\.org|555-0100|nuts|Club of one|secret plan|rammed/;
/** Never shown. */
const SECRET = /5ec4e7|licence-key-1/;

function at(time: string, type: string, data: NewEvent['data']): NewEvent {
  const event = newEvent(type, data);
  return { ...event, metadata: { ...event.metadata, occurredAt: time } };
}

function saying(reason: string, event: NewEvent): NewEvent {
  return { ...event, metadata: { ...event.metadata, reason } };
}

const HISTORY = [
  {
    stream: 'license-1',
    event: at('2026-01-01T10:00:00.000Z', 'LicenseIssued', {
      name: 'Club of one',
      displayName: 'Club of one',
      licenseKey: 'licence-key-1',
    }),
  },
  { stream: 'apiKey-1', event: at('2026-01-01T11:00:00.000Z', 'ApiKeyIssued', { name: 'k', tokenHash: '5ec4e7' }) },
  {
    stream: 'participantLicense-x',
    event: at('2026-01-02T10:00:00.000Z', KEY_CLAIMED, {
      owner: 'participant-1',
      revision: 'no_stream',
      events: [{ type: 'ParticipantRegistered', data: PERSON }],
    }),
  },
  { stream: 'participant-1', event: at('2026-01-02T10:00:00.000Z', 'ParticipantRegistered', PERSON) },
  { stream: 'lap-1', event: saying('rammed by a friend', at('2026-01-03T10:00:00.000Z', 'LapInvalidated', {})) },
  { stream: 'lap-1', event: at('2026-01-04T10:00:00.000Z', 'LapAnnotated', { note: 'secret plan' }) },
];

describe('sim-racing-timing events', () => {
  const world = new World();
  let dataDir = '';
  before(async () => {
    dataDir = world.directory();
    for (const one of HISTORY) await record(dataDir, [one]);
  });
  after(() => world.clean());

  const run = (...args: readonly string[]) => callCommand(['events', '--from', dataDir, ...args]);
  /** The types of the shown events. */
  async function typesOf(...args: readonly string[]): Promise<readonly string[]> {
    const { code, out, err } = await run(...args);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    return jsonLines(out).map((event) => textOf(event, 'type'));
  }

  it('ends with 2 and one line when it is used wrongly', async () => {
    await expectRefusedUses(
      'events',
      [
        [/--format takes ndjson or pretty/, ['--format', 'xml']],
        [/--since takes a position/, ['--since', 'yesterday']],
        [/--until takes a position/, ['--until', 'never']],
        [/--stream/, ['--stream', '']],
        [/--type/, ['--type', '']],
        [/more/, ['more']],
      ],
      { DATA_DIR: dataDir },
    );
    const nowhere = await expectCode(2, callCommand(['events', '--from', world.directory()]));
    expect(nowhere.err).to.match(/there is no event store in/);
  });

  it('masks personal data unless it is requested, also in claims and unknown types', async () => {
    for (const format of ['ndjson', 'pretty']) {
      const { out } = await run('--format', format);
      expect(out).to.include('LapAnnotated').and.to.include('***');
      expect(out).to.not.match(PERSONAL);
      expect(out).to.not.match(SECRET);
      const personal = await run('--format', format, '--personal');
      for (const word of ['Ada', 'ada@example.org', '555-0100', 'nuts', 'Club of one', 'secret plan']) {
        expect(personal.out).to.include(word);
      }
      expect(personal.out).to.not.match(SECRET);
    }
    expect((await run('--personal')).out).to.include('"reason":"rammed by a friend"');
  });

  it('shows a stream, types, and a part of the history', async () => {
    const all = HISTORY.map(({ event }) => event.type);
    expect(await typesOf()).to.deep.equal(all);
    expect(await typesOf('--stream', 'lap-1')).to.deep.equal(['LapInvalidated', 'LapAnnotated']);
    expect(await typesOf('--stream', 'lap-9')).to.deep.equal([]);
    expect(await typesOf('--type', 'ApiKeyIssued', '--type', KEY_CLAIMED)).to.deep.equal(['ApiKeyIssued', KEY_CLAIMED]);
    expect(await typesOf('--since', '4')).to.deep.equal(all.slice(4));
    expect(await typesOf('--until', '2')).to.deep.equal(all.slice(0, 2));
    expect(await typesOf('--since', '2026-01-02', '--until', '2026-01-03T10:00Z')).to.deep.equal(all.slice(2, 5));
    expect(await typesOf('--stream', 'lap-1', '--since', '2026-01-04')).to.deep.equal(['LapAnnotated']);
    const second = HISTORY[1]?.event.id ?? '';
    const fourth = HISTORY[3]?.event.id ?? '';
    expect(await typesOf('--since', second, '--until', fourth)).to.deep.equal(all.slice(2, 4));
    const lost = randomUUID();
    for (const option of ['--since', '--until']) {
      const { code, err, out } = await callCommand(['events', '--from', dataDir, option, lost]);
      expect({ code, out }, option).to.deep.equal({ code: 1, out: '' });
      expect(err, option).to.include(`this history has no event ${lost}`);
    }
  });

  it('names the nearest type to one that is unknown', async () => {
    const { code, err, out } = await callCommand(['events', '--from', dataDir, '--type', 'LapRecorde']);
    expect({ code, out }).to.deep.equal({ code: 0, out: '' });
    expect(err).to.contain('this release knows no event type LapRecorde; the nearest is LapRecorded');
  });

  it('shows new events with --follow, and ends quietly at a signal', async () => {
    const following = startCommand(['events', '--from', dataDir, '--follow', '--stream', 'lap-2']);
    await record(dataDir, [{ stream: 'lap-2', event: newEvent('LapValidated') }]);
    await following.said(/LapValidated/);
    await record(dataDir, [{ stream: 'lap-2', event: newEvent('LapInvalidated') }]);
    await following.said(/LapInvalidated/);
    expect(await following.end('SIGINT')).to.include({ code: 0 });
    expect(following.err).to.equal('');
  });

  it('ends quietly when its reader ends', async () => {
    const long = world.directory();
    await record(
      long,
      newEvents(3_000, 'Filler').map((event) => ({ stream: 'filler-1', event })),
    );
    const command = [process.execPath, ...process.execArgv, MAIN, 'events', '--from', long];
    const child = spawn('bash', ['-c', 'set -o pipefail; "$@" | head -n 1; echo "ended $?"', 'bash', ...command]);
    const piped = new Running(child, {});
    await piped.ended;
    expect(piped.err).to.equal('');
    expect(piped.out).to.match(/^\{[^\n]*\}\nended 0\n$/);
  });
});
