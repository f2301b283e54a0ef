import { problem, toy, useLimitedToys } from '../support/api/http.ts';

const rows = [
  toy('PATCH', '/wide', {
    handle: (request) => {
      request.changeUsage.requireShare();
      request.changeUsage.charge(3_000);
      return { kind: 'json', status: 200, body: {} };
    },
  }),
  toy('GET', '/plain'),
];

describe('the quota of changes that reach many records', () => {
  const { toys, start, expectLeft } = useLimitedToys(rows);

  it('is charged for the records that a change reaches, and the answer states the remaining quota', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    expectLeft(await toys.send('/wide', { method: 'PATCH' }), { changing: 700 }, 10);
  });

  it('refuses further such changes, and nothing else', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    for (let n = 0; n < 4; n += 1) await toys.send('/wide', { method: 'PATCH' });
    const refused = await toys.send('/wide', { method: 'PATCH' });
    await problem(refused, 429);
    expectLeft(await toys.send('/plain'), { address: 994 }, 1);
  });
});
