import { extname } from 'node:path';
import { z } from 'zod';
import type { Decider } from '../../../src/kernel/aggregate/decider.ts';
import type { Message } from '../../../src/kernel/event-types.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import type { Query } from '../../../src/domain/query.ts';
import type { Entry } from './entry.ts';

type State = JsonObject | null;
type AnyDecider = Decider<State, Message>;

/** A body, and the commands that are made of it; null where that takes more than a body. */
export interface Body {
  readonly schema: z.ZodType;
  readonly commands: ((body: unknown, params: JsonObject) => readonly Message[]) | null;
}

const extension = extname(import.meta.url);

async function exportsOf(path: string): Promise<readonly object[]> {
  const module: unknown = await import(new URL(`../../../${path}${extension}`, import.meta.url).href);
  if (typeof module !== 'object' || module === null) return [];
  return Object.values(module).filter((each): each is object => typeof each === 'object' && each !== null);
}

/** The decider of a noun, by the name of its file. */
export async function decidersIn(noun: string): Promise<readonly AnyDecider[]> {
  const all = await exportsOf(`commands/${noun}`);
  return all.filter((each): each is AnyDecider => 'decide' in each && 'evolve' in each);
}

/** Finds the decider, the bodies and the query of a resource in the files of its noun. */
export async function productOf(noun: string, { commands }: Entry) {
  const found = await exportsOf(`commands/${noun}`);
  const [create, change] = commands.map((name) => bodyNamed(name, found));
  const [decider] = await decidersIn(noun);
  const query = (await exportsOf(`queries/${noun}`)).find((each): each is Query => 'defaultSort' in each);
  if (decider === undefined || create === undefined || change === undefined || query === undefined)
    throw new Error(`commands/${noun} or queries/${noun} lacks a decider, a body or a query`);
  return { decider, create, change, query };
}

/** What the product has of a resource. */
export type Product = Awaited<ReturnType<typeof productOf>>;

function bodyNamed(name: string, found: readonly object[]): Body {
  for (const one of found) {
    const schema: unknown = 'body' in one ? one.body : one;
    if (!(schema instanceof z.ZodType) || schema.meta()?.id !== name) continue;
    // Commands from a body, as `commandsFrom` declares them.
    const commands = 'commands' in one ? (one.commands as Body['commands']) : null;
    return { schema, commands };
  }
  throw new Error(`no body ${name}`);
}
