import { atMost, cpuResult, round, type Result } from './result.ts';
import { compare, type Side } from './rounds.ts';
import type { Server, World } from './world.ts';

/** What a lap may cost as a line of CSV, by what it costs as JSON. */
const CSV = 1.2;
const BYTES_PER_MB = 1_000_000;

/** The list of all laps as CSV, against the same list as JSON: per lap. */
export async function csv(world: World): Promise<Result[]> {
  const { middle, rounds } = world.scale;
  const server = await world.service(await world.store(middle));
  const [table, list] = [listSide(server, 'csv', middle), listSide(server, 'json', middle)];
  // Once before, for V8.
  for (const side of [table, list]) await side.round();
  const result = cpuResult(`a lap of GET all ${middle} laps as CSV`, atMost(CSV), await compare(table, list, rounds));
  const sizes = [table, list].map(({ label, bytes }) => `${round(bytes() / BYTES_PER_MB)} MB as ${label}`);
  return [{ ...result, notes: sizes }];
}

function listSide(
  { child, url }: Server,
  format: 'csv' | 'json',
  laps: number,
): Side & { readonly bytes: () => number } {
  let bytes = 0;
  return {
    label: format === 'csv' ? 'CSV' : 'JSON',
    child,
    bytes: () => bytes,
    async round() {
      const cpuBefore = await child.cpuMicros();
      const startedAt = performance.now();
      bytes = await bytesOf(`${url}/api/v1/laps?format=${format}`);
      const seconds = (performance.now() - startedAt) / 1_000;
      return { units: laps, seconds, cpuMicros: (await child.cpuMicros()) - cpuBefore, latencies: [] };
    },
  };
}

async function bytesOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  if (answer.status !== 200 || answer.body === null) throw new Error(`GET ${url}: ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body) if (chunk instanceof Uint8Array) bytes += chunk.length;
  return bytes;
}
