import { expect } from 'chai';
import type { RecordedEvent } from '../../../src/service/kernel/ports/event-store.ts';
import type { Json } from '../../../src/service/kernel/json.ts';
import type { Document } from '../../../src/service/kernel/ports/read-store.ts';
import { players, shirts, teams } from './league.ts';
import type { Projected, ProjectedTwice } from './projectors.ts';

/** Checks what must hold for every history, whatever faults its projectors had. */
export function expectLeague({ events, projected, rebuilt }: ProjectedTwice): void {
  expectCurrent(rebuilt, events);
  expectSameAsRebuilt({ projected, rebuilt });
}

/** What was projected with faults equals what one projector makes in one go, document by document. */
export function expectSameAsRebuilt({ projected, rebuilt }: Pick<ProjectedTwice, 'projected' | 'rebuilt'>): void {
  expect([...projected.documents.keys()]).to.have.members([...rebuilt.documents.keys()]);
  for (const [key, document] of rebuilt.documents) expect(projected.documents.get(key), key).to.deep.equal(document);
  expect(projected.checkpoint, 'the checkpoint').to.equal(rebuilt.checkpoint);
}

/** Documents have the revision of their streams, and copied fields equal their originals. */
function expectCurrent({ documents }: Projected, events: readonly RecordedEvent[]): void {
  const revisions = new Map(events.map(({ stream, revision }) => [stream, revision]));
  for (const { collection, category } of [teams, players, shirts]) {
    for (const [key, document] of documents) {
      if (!key.startsWith(`${collection}/`)) continue;
      expect(document._revision, `revision of ${key}`).to.equal(revisions.get(`${category}-${document.id}`));
      expectSame(document, documents.get(`teams/${textOf(document['teamId'])}`), { teamName: 'name' });
      const shown = { playerName: 'name', nickname: 'nickname', captainOf: 'captainOf', teamId: 'teamId' };
      expectSame(document, documents.get(`players/${textOf(document['playerId'])}`), shown);
    }
  }
}

/** A reference; empty if the document has none. */
function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Fields of a document equal fields of another, if that exists. */
function expectSame(document: Document, other: Document | undefined, shown: Readonly<Record<string, string>>): void {
  if (other === undefined) return;
  for (const [field, its] of Object.entries(shown)) {
    expect(document[field] ?? null, `${field} of ${document.id}`).to.equal(other[its] ?? null);
  }
}
