import { expect } from 'chai';
import { RIGS } from '../../src/clients/demo/data.ts';
import { run } from '../../src/tools/cli/demo.ts';
import { idOf, textOf } from '../support/api/client.ts';
import { createLicense, registerRig } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { PATIENT, until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

describe('sim-racing-timing demo', () => {
  const api = useService(PATIENT);
  const world = useWorld();
  const said: string[] = [];

  function demo(more: readonly string[] = [], { signal } = new AbortController()): Promise<number> {
    said.length = 0;
    const output = { write: (text: string) => said.push(text) };
    const args = ['--url', api.service.url, '--token', api.admin.token ?? '', '--laps', '20', ...more];
    return run({ args, env: {}, out: output, err: output, signal });
  }

  before(async () => expect(await demo(), said.join('')).to.equal(0));

  it('adds nothing when it is run again, also where the venue has moved laps to other rigs and licences', async () => {
    const { admin } = api;
    const [first = {}, second = {}] = await admin.list('/api/v1/laps');
    const { licenseId, manager } = await createLicense(admin);
    const { rigId } = await registerRig(manager, licenseId);
    const own = (await admin.list('/api/v1/rigs')).map(idOf).find((id) => ![rigId, second['rigId']].includes(id));
    await admin.change(`/api/v1/laps/${idOf(first)}`, { rigId });
    await admin.change(`/api/v1/laps/${idOf(second)}`, { rigId: own ?? null });
    // A licence is one driver, who is still the same when corrected.
    const driver = `/api/v1/participants/${textOf(first, 'participantId')}`;
    await admin.change(driver, { firstName: 'Corrected', phoneNumber: '1' });
    const before = await admin.list('/api/v1/laps');
    expect(before).to.have.length(20);
    expect(await demo(), said.join('')).to.equal(0);
    expect(await admin.list('/api/v1/laps')).to.have.deep.members(before);
  });

  it('ends when the reader of its output ends, as `head` does', async () => {
    const args = ['--url', api.service.url, '--token', api.admin.token ?? '', '--laps', '20'];
    const cutOff = world.start({ dataDir: world.dataDir, command: 'demo', args, unread: true });
    cutOff.child.stdout?.destroy();
    expect(await cutOff.ended).to.deep.equal({ code: 1, signal: null });
    expect(cutOff.err).to.equal('');
  });

  it('records laps until a signal with --live', async () => {
    const stop = new AbortController();
    const driving = demo(['--live', '--pace', '3000'], stop);
    const text = (): string => said.join('');
    await Promise.race([driving, until(text, (all) => all.includes('does not count: '))]);
    await Promise.race([driving, until(text, (all) => RIGS.every(({ name }) => all.includes(`  ${name}  `)))]);
    stop.abort();
    expect(await driving, text()).to.equal(0);

    const [event = {}] = (await api.admin.list('/api/v1/events')).filter(({ slug }) => slug === 'gt-hotlap-challenge');
    const eventId = idOf(event);
    for (const page of ['/', `/events/${eventId}`, `/overlay/${eventId}`, '/admin'])
      expect(text()).to.include(`\n  ${api.service.url}${page} `);
    const driven = [...text().matchAll(/^\d\d:\d\d:\d\d {2}.* \d:\d\d\.\d{3}$/gm)].length;
    const laps = await until(
      () => api.admin.list(`/api/v1/laps?eventId=${eventId}`),
      // One may have been sent without its answer being received.
      ({ length }) => length >= 20 + driven && length <= 20 + driven + RIGS.length,
    );
    const [, reason = ''] = /does not count: (.*)$/m.exec(text()) ?? [];
    const invalid = laps.filter(({ valid }) => valid === false);
    const histories = await Promise.all(invalid.map((lap) => api.admin.list(`/api/v1/laps/${idOf(lap)}/history`)));
    expect(histories.flat().map((change) => change['reason'])).to.include(reason);
  });

  it('does not mistake another driver of a licence for its own', async () => {
    const [someone = {}] = await api.admin.list('/api/v1/participants');
    await api.admin.change(`/api/v1/participants/${idOf(someone)}`, { lastName: 'Else', email: 'else@example.org' });
    expect(await demo()).to.equal(1);
    expect(said.join('')).to.include('has another driver by now: else@example.org');
  });
});
