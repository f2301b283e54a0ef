import type { z } from 'zod';
import type { Decider, Message } from '../kernel/decider.ts';
import type { References } from './references.ts';

/** A command that a request's body makes: the row of a write endpoint names one. */
export interface BodyCommand<B, S, C extends Message> {
  readonly body: z.ZodType<B>;
  /** What must exist before the decider is asked. */
  readonly references?: References;
  readonly decider: Decider<S, C>;
  readonly command: (body: B) => C;
}

/** Declares a command that a request's body makes. */
export function bodyCommand<B, S, C extends Message>(spec: BodyCommand<B, S, C>): BodyCommand<B, S, C> {
  return spec;
}
