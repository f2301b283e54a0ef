import { expect } from 'chai';
import { loadConfig } from '../../src/service/config/config.ts';
import { addressesIn, clientName, forwardedAddress, plainAddress } from '../../src/service/http/client-address.ts';
import { Account, createQuota } from '../../src/service/http/quota.ts';

const MINUTE = 60_000;

describe('quota', () => {
  it('grants all of its units at once, and then one after the other', () => {
    const quota = createQuota('toys', 3);
    const account = new Account();
    expect([1, 2, 3].map(() => quota.take(account, 1, 100))).to.deep.equal([0, 0, 0]);
    expect(quota.take(account, 1, 100)).to.equal(20_000);
    expect(quota.state(account, 100)).to.equal('"toys";r=0;t=60');
    expect(quota.take(account, 1, 19_000)).to.equal(1_100);
    expect(quota.take(account, 1, 20_100)).to.equal(0);
    expect(quota.take(account, 1, 20_100)).to.equal(20_000);
    expect(quota.state(account, 20_100 + MINUTE)).to.equal('"toys";r=3;t=0');
    expect(quota.policy).to.equal('"toys";q=3;w=60');
  });

  it('takes all units of a request or none, and counts a request above its size as its size', () => {
    const quota = createQuota('toys', 10);
    const account = new Account();
    expect(quota.take(account, 8, 0)).to.equal(0);
    expect(quota.take(account, 5, 0)).to.equal(3 * 6_000);
    expect(quota.state(account, 0)).to.equal('"toys";r=2;t=48');
    expect(quota.take(new Account(), 1_000, 0)).to.equal(0);
  });

  it('never grants more than its units per minute after those of the start, in whatever pattern', () => {
    const quota = createQuota('toys', 700);
    const account = new Account();
    let given = 0;
    for (let now = 0; now <= 10 * MINUTE; now += 7) given += quota.take(account, 1, now) === 0 ? 1 : 0;
    expect(given).to.be.within(11 * 700 - 1, 11 * 700 + 1);
  });

  it('is charged afterwards for more than it has, as a debt of one whole quota at most', () => {
    const quota = createQuota('toys', 10);
    const account = new Account();
    quota.charge(account, 10, 0);
    expect(quota.wait(account, 0)).to.equal(0);
    quota.charge(account, 2.5, 0);
    expect(quota.wait(account, 0)).to.equal(15_000);
    expect(quota.wait(account, 15_000)).to.equal(0);
    quota.charge(account, 1_000, 0);
    expect(quota.wait(account, 0)).to.equal(MINUTE);
    expect(quota.state(account, 0)).to.equal('"toys";r=0;t=120');
  });

  it('is large enough for an evening of a venue with 40 rigs behind one address', () => {
    const { clientRequestsPerMinute, keyRequestsPerMinute } = loadConfig({});
    const address = createQuota('address', clientRequestsPerMinute);
    const key = createQuota('key', keyRequestsPerMinute);
    const venue = new Account();
    const rig = new Account();
    // What they could not send while the line was down: 500 laps each.
    expect(address.take(venue, 40 * 500, 0) + key.take(rig, 500, 0)).to.equal(0);
    for (let second = 1; second <= 3_600; second++) {
      const now = second * 1_000;
      // Each rig asks three things a second, 20 screens a board twice a second, 300 guests a board every 5 s.
      const wait = address.take(venue, 40 * 3 + 20 * 2 + 300 / 5, now) + key.take(rig, 3, now);
      expect(wait, `second ${second}`).to.equal(0);
    }
  });
});

describe('addresses of clients', () => {
  it('count as themselves, of IPv6 by the network', () => {
    const names = {
      '192.0.2.1': '192.0.2.1',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
      '2001:0db8:0001:0002::': '2001:db8:1:2',
      '2001:db8::1': '2001:db8:0:0',
      '::1': '0:0:0:0',
      '::': '0:0:0:0',
      '1::2:3:4:5:6:7': '1:0:2:3',
      '64:ff9b::192.0.2.33': '64:ff9b:0:0',
      'fe80::1%eth0': 'fe80:0:0:0',
    };
    for (const [address, name] of Object.entries(names)) expect(clientName(address), address).to.equal(name);
    expect(plainAddress('::ffff:192.0.2.1')).to.equal('192.0.2.1');
    expect(plainAddress('::ffff:0:1')).to.equal('::ffff:0:1');
  });

  it('come from the last entry of X-Forwarded-For that is no trusted proxy', () => {
    const trusted = addressesIn(['10.0.0.0/8', '2001:db8:ffff::/48', '127.0.0.1']);
    const found: Readonly<Record<string, string | null>> = {
      '192.0.2.1': '192.0.2.1',
      '198.51.100.9, 192.0.2.1': '192.0.2.1',
      '127.0.0.1, 192.0.2.1, 10.1.2.3,2001:db8:ffff::7': '192.0.2.1',
      'anything at all, 192.0.2.1 , 10.1.2.3': '192.0.2.1',
      '192.0.2.1:4711, 10.1.2.3': '192.0.2.1',
      '[2001:db8::5]:4711': '2001:db8::5',
      '[2001:db8::5]': '2001:db8::5',
      '2001:db8::5': '2001:db8::5',
      '::ffff:192.0.2.1': '192.0.2.1',
      '10.9.9.9, 10.1.2.3': '10.9.9.9',
      'unknown, 10.1.2.3': '10.1.2.3',
      '192.0.2.1, unknown': null,
      '192.0.2.1,': null,
      '': null,
    };
    for (const [header, address] of Object.entries(found)) {
      expect(forwardedAddress(header, trusted), header).to.equal(address);
    }
  });
});
