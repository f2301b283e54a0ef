import { expect } from 'chai';
import { Unanswered } from '../../../src/clients/web/admin/api/client.ts';
import { Outbox, type Arrival, type Unconfirmed } from '../../../src/clients/web/admin/desk/outbox.ts';

const arrival = (key: string): Arrival => ({ key, name: `Driver ${key}`, who: { email: '' } });

/** An outbox whose requests are answered by the test. */
function opened() {
  const sent: string[] = [];
  const answers: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let shown: readonly Unconfirmed[] = [];
  const outbox = new Outbox({
    send: ({ key }) => {
      sent.push(key);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
    pause: () => Promise.resolve(),
    onChange: (unconfirmed) => {
      shown = unconfirmed;
    },
  });
  /** Answers the oldest request, and waits until the outbox has taken that. */
  const answer = async (error?: unknown): Promise<void> => {
    const next = answers.shift();
    if (error === undefined) next?.resolve();
    else next?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { outbox, sent, answer, states: () => shown.map((one) => `${one.arrival.key} ${one.state}`) };
}

describe('Pages: people on their way to the service', () => {
  it('are sent one after the other, in the order in which they came', async () => {
    const { outbox, sent, answer, states } = opened();
    outbox.add(arrival('a'));
    outbox.add(arrival('b'));
    expect(sent).to.deep.equal(['a']);
    expect(states()).to.deep.equal(['a sending', 'b sending']);
    await answer();
    expect(sent).to.deep.equal(['a', 'b']);
    await answer();
    expect(states()).to.deep.equal([]);
  });

  it('are sent again under the same key until there is an answer, before any later one', async () => {
    const { outbox, sent, answer, states } = opened();
    outbox.add(arrival('a'));
    outbox.add(arrival('b'));
    await answer(new Unanswered('gone'));
    expect(sent).to.deep.equal(['a', 'a']);
    expect(states()).to.deep.equal(['a unanswered', 'b sending']);
    await answer();
    expect(sent).to.deep.equal(['a', 'a', 'b']);
  });

  it('hold up nobody when they are refused, and wait to be sent again, said who they are, or left out', async () => {
    const { outbox, sent, answer, states } = opened();
    for (const key of ['a', 'b', 'c']) outbox.add(arrival(key));
    await answer(new Error('no'));
    await answer(new Error('no'));
    await answer(new Error('no'));
    expect(states()).to.deep.equal(['a refused', 'b refused', 'c refused']);
    outbox.retry('b');
    await answer();
    outbox.discard('a');
    outbox.identify('c', { participantId: 'x' });
    await answer();
    expect(states()).to.deep.equal([]);
    expect(sent).to.deep.equal(['a', 'b', 'c', 'b', 'c']);
  });

  it('are not sent any more once the page is left', async () => {
    const { outbox, sent, answer } = opened();
    outbox.add(arrival('a'));
    outbox.add(arrival('b'));
    outbox.stop();
    await answer();
    expect(sent).to.deep.equal(['a']);
  });
});
