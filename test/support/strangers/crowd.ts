import { AT_ONCE, ATTACKS, type Target } from './attacks.ts';
import { Shooter } from './shots.ts';

/** How an attack is run. */
export interface Assault {
  readonly url: string;
  readonly target: Target;
  /** Local addresses that it comes from. */
  readonly addresses: readonly string[];
  readonly ms: number;
  /** Requests at once, of all addresses, unless the attack has a number of its own. */
  readonly atOnce: number;
}

/** Number of answers by status; `left` and `closed` without one. */
type Answers = Record<string, number>;

/** Runs an attack: each of its clients sends the next request as soon as the one before has ended. */
export async function run(attack: string, assault: Assault): Promise<Answers> {
  const next = ATTACKS[attack];
  if (next === undefined) throw new Error(`there is no attack ${attack}`);
  const { hostname: host, port } = new URL(assault.url);
  const shooters = assault.addresses.map((localAddress) => new Shooter({ host, port: Number(port), localAddress }));
  const answers: Answers = {};
  const endsAt = performance.now() + assault.ms;
  let sent = 0;
  const client = async (shooter: Shooter): Promise<void> => {
    while (performance.now() < endsAt) {
      const shot = next(assault.target, sent++);
      const { status } = await ('bytes' in shot ? shooter.sendRaw(shot) : shooter.send(shot));
      // What this process ends at the end of the attack is no answer.
      if (status !== 'closed' || performance.now() < endsAt) answers[status] = (answers[status] ?? 0) + 1;
    }
  };
  const timer = setTimeout(() => {
    for (const shooter of shooters) shooter.close();
  }, assault.ms);
  const count = Math.ceil((AT_ONCE[attack] ?? assault.atOnce) / shooters.length);
  await Promise.all(shooters.flatMap((shooter) => Array.from({ length: count }, () => client(shooter))));
  clearTimeout(timer);
  for (const shooter of shooters) shooter.close();
  return answers;
}
