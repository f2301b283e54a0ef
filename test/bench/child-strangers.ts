import { z } from 'zod';
import { Target } from '../support/strangers/attacks.ts';
import { run } from '../support/strangers/crowd.ts';
import type { Role } from './child-protocol.ts';

const Wanted = z.object({
  name: z.string(),
  url: z.string(),
  target: Target,
  addresses: z.array(z.string()),
  ms: z.number(),
  atOnce: z.number(),
});

/** Strangers, in a process of their own: what they cost is not the rigs' delay. */
export async function strangers(): Promise<Role> {
  return {
    operations: {
      attack: async (argument) => {
        const { name, ...assault } = Wanted.parse(argument);
        return run(name, assault);
      },
    },
  };
}
