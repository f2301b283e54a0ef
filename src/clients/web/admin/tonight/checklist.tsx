import { useCallback } from 'preact/hooks';
import { listOf, numberOf, objectOf } from '../../shared/json.ts';
import type { Text } from '../../shared/language.ts';
import { t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import type { Client } from '../api/client.ts';
import type { Resource } from '../api/model.ts';
import { useLoaded } from '../parts/answers.tsx';
import { addressOf, Link } from '../router.tsx';
import { useSession, type Session } from '../session.ts';

/** Something that an evening needs. */
interface Step {
  /** Name of the resource. */
  readonly resource: string;
  readonly label: Text;
  /** The page on which it is added. */
  readonly form: string;
}

/** In the order in which they are needed. */
const STEPS: readonly Step[] = [
  { resource: 'Simulator', label: tonight.stepSimulator, form: '/simulators/new' },
  { resource: 'TrackLayout', label: tonight.stepLayout, form: '/track-layouts/new' },
  { resource: 'Car', label: tonight.stepCar, form: '/cars/new' },
  { resource: 'Rig', label: tonight.stepRig, form: '/rigs/new' },
  { resource: 'Event', label: tonight.stepEvent, form: '/events/new' },
];

/** How often, in ms, it is looked what is there. */
const LOOK_EVERY_MS = 10_000;

/** Which steps are done; undefined while that is read. */
export function useSteps() {
  const { client, resource } = useSession();
  const read = useCallback(
    async (signal: AbortSignal): Promise<ReadonlySet<string>> => {
      const there = await Promise.all(
        STEPS.map(async (step) => {
          const found = resource(step.resource);
          if (found === null) return true;
          return isAnyThere(client, found, signal);
        }),
      );
      return new Set(STEPS.filter((_, n) => there[n] === true).map((step) => step.resource));
    },
    [client, resource],
  );
  const loaded = useLoaded(read, LOOK_EVERY_MS);
  const { data } = loaded;
  return { loaded, done: data, isComplete: data !== undefined && data.size === STEPS.length };
}

/** Whether there is a record of a resource, disabled ones included. */
async function isAnyThere(client: Client, { path, list, paged }: Resource, signal: AbortSignal): Promise<boolean> {
  const asked = new URLSearchParams();
  if (paged !== null) asked.set('size', '1');
  if (list.query.some(({ name }) => name === 'includeDisabled')) asked.set('includeDisabled', 'true');
  const { json } = await client.get(`${path}${paged === null ? '' : '/paged'}?${asked.toString()}`, signal);
  const count = paged === null ? listOf(json).length : numberOf(objectOf(json)['totalElements']);
  return (count ?? 0) > 0;
}

/** What an evening needs, what of it is there, and what comes next. */
export function Checklist({ done }: { readonly done: ReadonlySet<string> }) {
  const session = useSession();
  const next = STEPS.find(({ resource }) => !done.has(resource));
  return (
    <section class="checklist">
      <h2>{t(tonight.checklist)}</h2>
      <ol>
        {STEPS.map((step) => (
          <li
            key={step.resource}
            class={done.has(step.resource) ? 'done' : ''}
            aria-current={step === next ? 'step' : undefined}
          >
            <span aria-hidden="true" class="mark">
              {done.has(step.resource) ? '✓' : ''}
            </span>
            <span>
              {t(step.label)}
              <span class="hidden-but-read">{t(done.has(step.resource) ? tonight.stepDone : tonight.stepMissing)}</span>
            </span>
            {!done.has(step.resource) && <StepLink step={step} session={session} isNext={step === next} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepLink({
  step,
  session,
  isNext,
}: {
  readonly step: Step;
  readonly session: Session;
  readonly isNext: boolean;
}) {
  const { resource, may } = session;
  if (!may(resource(step.resource)?.create ?? null)) return null;
  return (
    <Link class={isNext ? 'button primary' : 'button'} to={addressOf(step.form)}>
      {t(tonight.addStep)}
    </Link>
  );
}
