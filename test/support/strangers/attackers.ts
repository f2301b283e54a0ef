/** A process of strangers: what they cost is not the delay of the rigs beside them. Its parent sends what they do. */
import { run } from './crowd.ts';

process.once('message', (message) => {
  // `runApart` in test/faults/strangers.test.ts sends nothing else.
  void run(...(message as Parameters<typeof run>)).then((answers) =>
    process.send?.(answers, () => process.disconnect()),
  );
});
