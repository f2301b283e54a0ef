import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import * as typed from '../support/api/typed-client.ts';
import { useVenue } from '../support/api/with-service.ts';

describe('API: the generated client', () => {
  const api = useVenue();
  const connect = () => typed.connect(api.service.url, api.venue.manager.token ?? '');

  it('has the types of the document (src/tools/build/build.js --client generates them)', async () => {
    // A copy, since openapi-typescript modifies its input.
    const types = astToString(await openapiTS(JSON.stringify(api.service.document)));
    const [, ...generated] = readFileSync('src/clients/generated/api.ts', 'utf8').split('\n');
    expect(generated.join('\n') === types).to.equal(true);
  });

  it('compiles with tsc --strict, without a cast', () => {
    const path = 'test/support/api/typed-client.ts';
    expect(faultsOf(path)).to.deep.equal([]);
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023);
    expect(castsIn(source).map((cast) => cast.getText(source))).to.deep.equal([]);
  });

  it('records laps, and distinguishes those that are only accepted', async () => {
    const client = connect();
    const { participantId, rigId, eventId, carId, trackLayoutId: trackId } = api.venue;
    const times = { sectors: [31_001, 28_455, 40_120], totalTime: 99_576, valid: true };
    const lap = { participantId, rigId, eventId, carId, trackId, ...times };
    const first = await typed.recordLap(client, lap, 'typed-1');
    expect(first.totalTime).to.equal(lap.totalTime);
    expect(await typed.recordLap(client, lap, 'typed-1')).to.deep.equal(first);
    const wrong = await typed.recordLap(client, { ...lap, totalTime: -1 }, 'typed-2').catch(String);
    expect(wrong).to.match(/#\/totalTime/);
  });

  it('reads lists, pages and boards', async () => {
    const { eventId, participantId } = api.venue;
    const laps = await typed.validLaps(connect(), eventId);
    expect(laps.every((lap) => lap.eventId === eventId && lap.valid)).to.equal(true);
    const page = await typed.newestLaps(connect(), participantId);
    expect(page).to.include({ total: laps.length });
    expect(page.laps.map(({ id }) => id)).to.have.members(laps.map(({ id }) => id));
    expect(await typed.leaderOf(connect(), eventId)).to.deep.include({ time: laps[0]?.totalTime });
  });

  it('leaves out fields with a default, and uploads files', async () => {
    expect(await typed.addSimulator(connect(), 'typed-sim')).to.equal(true);
    expect(await typed.uploadLogo(connect(), 'typed.png', new Blob(['x'], { type: 'image/png' }))).to.equal(true);
    expect((await api.anyone.get('/cdn/LOGO/typed.png')).text).to.equal('x');
  });
});

/** The compiler's messages about a program, with `--strict` and the options that Node's modules need. */
function faultsOf(file: string): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  // TypeScript caches the current directory of its first use, which may belong to another test.
  const host = { ...ts.createCompilerHost(options), getCurrentDirectory: () => process.cwd() };
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: at, start = 0 }) => {
    const line = at === undefined ? 0 : at.getLineAndCharacterOfPosition(start).line + 1;
    return `${at?.fileName ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** Everything in a source that overrides the compiler. */
function castsIn(node: ts.Node): readonly ts.Node[] {
  const inside: ts.Node[] = [];
  node.forEachChild((child) => {
    inside.push(...castsIn(child));
  });
  const overrides = [ts.SyntaxKind.AsExpression, ts.SyntaxKind.NonNullExpression, ts.SyntaxKind.AnyKeyword];
  return overrides.includes(node.kind) ? [node, ...inside] : inside;
}
