import { expect } from 'chai';
import { updatedAtOf } from '../../src/service/api/views.ts';
import { streamOf } from '../../src/kernel/stream-names.ts';
import { RESOURCES } from '../../src/service/resources/index.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { eventsOf, recordedReleases } from '../history-files/documents.ts';
import { projectedAtOnce } from '../support/kernel/projecting.ts';

describe('tags of resources', () => {
  for (const release of recordedReleases()) {
    it(`carry the time of the event at their revision, after each event of release ${release}`, async () => {
      const events = eventsOf(release);
      const compared = new Set<string>();
      for (let count = 1; count <= events.length; count += 1) {
        const past = events.slice(0, count);
        const last = past.at(-1);
        // What an event changes in other documents shows at the end.
        if (last === undefined) continue;
        const isAll = count === events.length;
        const models = await projectedAtOnce(past, builtInProjections, { parks: true });
        for (const { query, decider } of RESOURCES) {
          if (!isAll && !last.stream.startsWith(`${decider.category}-`)) continue;
          for await (const batch of models.stream(query.model.collection, { where: {} })) {
            for (const document of batch) {
              const stream = streamOf(decider.category, document.id);
              const own = past.find((event) => event.stream === stream && event.revision === document._revision);
              const updatedAt = updatedAtOf(query, document);
              if (updatedAt === null) continue;
              compared.add(query.model.collection);
              expect(updatedAt, `${stream}@${document._revision}`).to.equal(own?.metadata.occurredAt);
            }
          }
        }
      }
      expect(compared.size).to.be.at.least(RESOURCES.length - 1);
    }).timeout(120_000);
  }
});
