import type { z } from 'zod';
import type { Decider } from '../kernel/aggregate/decider.ts';
import type { Message } from '../kernel/event-types.ts';
import type { References } from './references.ts';

/** The parameters of a request's path, by name. */
export type PathParams = { readonly [name: string]: string };

/** A command that a request's body makes, with the path where needed: the row of a write endpoint names one. */
export interface BodyCommand<B, S, C extends Message, P = PathParams> {
  readonly body: z.ZodType<B>;
  /** What must exist before the decider is asked. */
  readonly references?: References;
  readonly decider: Decider<S, C>;
  readonly command: (body: B, params: P) => C;
}

/** Declares a command that a request's body makes. */
export function bodyCommand<B, S, C extends Message, P = PathParams>(
  spec: BodyCommand<B, S, C, P>,
): BodyCommand<B, S, C, P> {
  return spec;
}
