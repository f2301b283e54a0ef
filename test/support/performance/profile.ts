import { z } from 'zod';

/** A CPU profile as V8 writes it; times in µs. */
const CpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.int() }),
      children: z.array(z.int()).optional(),
    }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});
type CpuProfile = z.output<typeof CpuProfile>;

/** Modules that run once, when a process starts. */
const START =
  /^node:internal\/(modules|bootstrap|process\/pre_execution)|\/typescript\/|\bopenapi\.js$|\/zod-to-openapi\//;

/**
 * The parts of the program (packages, folders of the project, modules of Node, activities of V8) by their shares, from 0
 * to 1, in the busy time of the process, the largest first, without the start.
 * @param json a CPU profile as JSON
 */
export function sharesOf(json: string) {
  const profile = CpuProfile.parse(JSON.parse(json));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = parentsOf(profile);
  const starting = new Map<number, boolean>();
  const isStart = (id: number): boolean => {
    const known = starting.get(id);
    if (known !== undefined) return known;
    const parent = parents.get(id);
    const found = START.test(nodes.get(id)?.callFrame.url ?? '') || (parent !== undefined && isStart(parent));
    starting.set(id, found);
    return found;
  };
  const times = new Map<string, number>();
  for (const [n, id] of profile.samples.entries()) {
    const frame = nodes.get(id)?.callFrame;
    if (frame === undefined || frame.functionName === '(idle)' || isStart(id)) continue;
    const part = partOf(frame);
    times.set(part, (times.get(part) ?? 0) + (profile.timeDeltas[n] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([part, time]) => ({ part, share: time / total })).sort((a, b) => b.share - a.share);
}

function parentsOf({ nodes }: CpuProfile): ReadonlyMap<number, number> {
  return new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
}

/** `node:net`, `lmdb`, `src/service/http`; `(garbage collector)` and the system calls of Node by their own names. */
function partOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (name !== undefined) return name;
  const folder =
    /\/dist\/(src\/(?:service|tools|clients)\/[^/]+|(?:src|infra|test)\/[^/]+|commands|projections|queries)/.exec(
      url,
    )?.[1];
  if (folder !== undefined) return folder;
  if (url.startsWith('node:')) return url.replace(/^node:(internal\/)?/, 'node:').replace(/^(node:[^/]+).*$/, '$1');
  return functionName === '' ? 'native code' : functionName;
}
