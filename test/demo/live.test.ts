import { expect } from 'chai';
import { PEOPLE } from '../../src/clients/demo/data.ts';
import { liveStint } from '../../src/clients/demo/lap-plan.ts';
import { randomFrom } from '../../src/clients/demo/random.ts';
import { settingsOf } from '../../src/tools/cli/demo.ts';

describe('demo: an evening at the venue', () => {
  it('puts no driver on two rigs at once', () => {
    const random = randomFrom(7);
    const busy = new Set(PEOPLE.slice(1).map(({ email }) => email));
    const { person, rig, laps } = liveStint(random, 'a rig', busy);
    expect({ person, rig }).to.deep.equal({ person: PEOPLE[0], rig: 'a rig' });
    expect(laps).to.be.within(4, 9);
  });

  it('accepts a pace only with --live, and within bounds', () => {
    const paceOf = (options: { live?: boolean; pace?: string }) => settingsOf({ token: 'x', ...options }, {}).pace;
    expect([paceOf({}), paceOf({ live: true }), paceOf({ live: true, pace: '60' })]).to.deep.equal([null, 1, 60]);
    expect(() => paceOf({ pace: '2' })).to.throw('--pace goes with --live');
    for (const pace of ['0', '-1', '1.5', 'x', '10001', ''])
      expect(() => paceOf({ live: true, pace }), pace).to.throw('--pace takes a whole number from 1 to 10000');
  });

  it('takes place at the service of --url, else of DEMO_URL, else where PORT says, else at 8080', () => {
    const urlOf = (env: Readonly<Record<string, string>>, url?: string) => settingsOf({ token: 'x', url }, env).url;
    expect(urlOf({ PORT: '9090', DEMO_URL: 'http://there/' }, 'https://here:1/x/')).to.equal('https://here:1/x');
    expect(urlOf({ PORT: '9090', DEMO_URL: 'http://there/' })).to.equal('http://there');
    expect(urlOf({ PORT: '9090' })).to.equal('http://127.0.0.1:9090');
    expect(urlOf({})).to.equal('http://127.0.0.1:8080');
  });
});
