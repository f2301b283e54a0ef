import { expect } from 'chai';
import { RIGS } from '../../src/clients/demo/data.ts';
import { run as runDemo } from '../../src/tools/cli/demo.ts';
import { idOf, textOf } from '../support/api/client.ts';
import { createLicense, registerRig } from '../support/api/venue.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { until } from '../support/processes/waits.ts';
import { ADMIN_TOKEN, World } from '../support/processes/world.ts';

describe('sim-racing-timing demo --live', () => {
  const world = new World();
  after(() => world.clean());

  it('fills the service as usual, and then drives laps until a signal', async () => {
    await withServiceHere(world.directory(), async ({ url, admin }) => {
      const [out, err, stop]: [string[], string[], AbortController] = [[], [], new AbortController()];
      const demo = runDemo({
        args: ['--url', url, '--token', ADMIN_TOKEN, '--laps', '20', '--live', '--pace', '3000'],
        env: {},
        out: { write: (text: string) => out.push(text) },
        err: { write: (text: string) => err.push(text) },
        signal: stop.signal,
      });
      const text = (): string => out.join('');
      await Promise.race([demo, until(text, (said) => said.includes('does not count: '))]);
      await Promise.race([demo, until(text, (said) => RIGS.every(({ name }) => said.includes(`  ${name}  `)))]);
      stop.abort();
      expect(await demo, err.join('')).to.equal(0);

      const [event] = (await admin.list('/api/v1/events')).filter(({ slug }) => slug === 'gt-hotlap-challenge');
      const eventId = idOf(event ?? {});
      for (const page of ['/', `/events/${eventId}`, `/overlay/${eventId}`, '/admin'])
        expect(text()).to.include(`\n  ${url}${page} `);
      const driven = [...text().matchAll(/^\d\d:\d\d:\d\d {2}.* \d:\d\d\.\d{3}$/gm)].length;
      const laps = await until(
        () => admin.list(`/api/v1/laps?eventId=${eventId}`),
        // One may have been sent without its answer being received.
        ({ length }) => length >= 20 + driven && length <= 20 + driven + RIGS.length,
      );
      const [, reason = ''] = /does not count: (.*)$/m.exec(text()) ?? [];
      const invalid = laps.filter(({ valid }) => valid === false);
      const histories = await Promise.all(invalid.map((lap) => admin.list(`/api/v1/laps/${idOf(lap)}/history`)));
      expect(histories.flat().map((change) => change['reason'])).to.include(reason);
    });
  });
});

describe('sim-racing-timing demo, run again', () => {
  const world = new World();
  after(() => world.clean());

  it('adds nothing and does not stop at laps that the venue has moved to other rigs, of other licences too', async () => {
    await withServiceHere(world.directory(), async ({ url, admin }) => {
      const [said, signal] = [[] as string[], new AbortController().signal];
      const write = (text: string) => said.push(text);
      const args = ['--url', url, '--token', ADMIN_TOKEN, '--laps', '20'];
      const demo = () => runDemo({ args, env: {}, out: { write }, err: { write }, signal });
      expect(await demo(), said.join('')).to.equal(0);
      const [first = {}, second = {}] = await admin.list('/api/v1/laps');
      const { licenseId, manager } = await createLicense(admin);
      const { rigId } = await registerRig(manager, licenseId);
      const own = (await admin.list('/api/v1/rigs')).map(idOf).find((id) => ![rigId, second['rigId']].includes(id));
      await admin.change(`/api/v1/laps/${idOf(first)}`, { rigId });
      await admin.change(`/api/v1/laps/${idOf(second)}`, { rigId: own ?? null });
      const before = await admin.list('/api/v1/laps');
      expect(await demo(), said.join('')).to.equal(0);
      expect(await admin.list('/api/v1/laps')).to.have.deep.members(before);

      // A licence is one driver: corrected, it is still the same; another one is not taken for the demo's.
      const driver = `/api/v1/participants/${textOf(first, 'participantId')}`;
      await admin.change(driver, { firstName: 'Corrected', phoneNumber: '1' });
      expect(await demo(), said.join('')).to.equal(0);
      await admin.change(driver, { lastName: 'Else', email: 'else@example.org' });
      expect(await demo()).to.equal(1);
      expect(said.at(-1)).to.include('has another driver by now: else@example.org');
    });
  });
});
