import { expect } from 'chai';
import { Refused, type Sent } from '../../../src/clients/web/admin/api/client.ts';
import { appended, changeQueue, moved, movedTo, takenOut } from '../../../src/clients/web/admin/desk/queue-changes.ts';
import { objectOf, textsOf } from '../../../src/clients/web/shared/json.ts';

const QUEUE = ['a', 'b', 'c'];

/** A service with a queue, which somebody else changes before it takes as many changes as `others` has. */
function serving(before: readonly string[], ...others: readonly (readonly string[])[]) {
  const rest = [...others];
  let queue = before;
  let revision = 0;
  const answer = () => ({
    status: 200,
    json: queue.map((participantId) => ({ participantId })),
    etag: `"${revision}"`,
    location: null,
    answeredAt: null,
  });
  const client = {
    get: () => Promise.resolve(answer()),
    send: (_method: string, _path: string, { body, headers = {} }: Sent = {}) => {
      const other = rest.shift();
      if (other !== undefined) {
        queue = other;
        revision += 1;
      }
      if (headers['If-Match'] !== `"${revision}"`) return Promise.reject(new Refused(412, {}));
      queue = textsOf(objectOf(body instanceof FormData ? undefined : body)['participantIds']);
      revision += 1;
      return Promise.resolve(answer());
    },
  };
  return { client, queue: () => queue };
}

describe('Pages: changes of the queue', () => {
  it('append, take out, and move within the ends', () => {
    expect(appended('d')(QUEUE)).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(appended('b')(QUEUE)).to.deep.equal(QUEUE);
    expect(takenOut('b')(QUEUE)).to.deep.equal(['a', 'c']);
    expect(moved('b', -1)(QUEUE)).to.deep.equal(['b', 'a', 'c']);
    expect(moved('b', 1)(QUEUE)).to.deep.equal(['a', 'c', 'b']);
    expect(moved('a', -1)(QUEUE)).to.deep.equal(QUEUE);
    expect(moved('c', 5)(QUEUE)).to.deep.equal(QUEUE);
    expect(movedTo('a', 'c')(QUEUE)).to.deep.equal(['b', 'c', 'a']);
    expect(movedTo('c', 'a')(QUEUE)).to.deep.equal(['c', 'a', 'b']);
    for (const change of [moved('x', 1), movedTo('x', 'a'), movedTo('a', 'x'), takenOut('x')])
      expect(change(QUEUE)).to.deep.equal(QUEUE);
  });

  it('are made of the newest queue where somebody else was faster', async () => {
    const { client, queue } = serving(QUEUE, ['c', 'b', 'x'], ['c', 'b', 'x', 'y']);
    const changed = await changeQueue(client, 'event', appended('d'));
    expect(changed).to.deep.equal({ participantIds: ['c', 'b', 'x', 'y', 'd'], isChanged: true });
    expect(queue()).to.deep.equal(['c', 'b', 'x', 'y', 'd']);
  });

  it('send nothing that is so already, and pass on every other refusal', async () => {
    const { client } = serving(QUEUE);
    expect(await changeQueue(client, 'event', appended('a'))).to.deep.equal({
      participantIds: QUEUE,
      isChanged: false,
    });
    const refusing = { ...client, send: () => Promise.reject(new Refused(403, {})) };
    const failure = await changeQueue(refusing, 'event', takenOut('a')).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Refused).with.property('status', 403);
  });
});
