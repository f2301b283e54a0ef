import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { build } from 'esbuild';
import { FILES } from './fixtures.ts';
import { planOf } from './reading.ts';

describe('the parsers of result files', () => {
  it('read each file in a browser as they do in the command', async () => {
    const { outputFiles } = await build({
      entryPoints: ['src/clients/results/read-results.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      globalName: 'results',
      logLevel: 'silent',
    });
    // What the parsers take from a browser besides the language. Plans come back as text: the objects are of the context.
    const browser = createContext({ TextDecoder, TypeError });
    runInContext(outputFiles[0]?.text ?? '', browser);
    for (const [name, bytes] of Object.entries(FILES)) {
      browser['bytes'] = bytes;
      const text: unknown = runInContext('JSON.stringify(results.readResults(bytes))', browser);
      expect(JSON.parse(String(text)), name).to.deep.equal({ outcome: 'read', plan: planOf(bytes) });
    }
  });
});
