import { useCallback, useContext } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { listOf, numberOf, objectOf } from '../../shared/json.ts';
import type { Text } from '../../shared/language.ts';
import { t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import type { Client } from '../api/client.ts';
import { disabledToo, type Resource } from '../api/model.ts';
import { useLoaded } from '../parts/answers.tsx';
import { CreatingContext } from '../parts/creating.ts';
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { VenueActions, type useVenueStep } from './venue-step.tsx';

/** Something that an evening needs. */
interface Step {
  /** Name of the resource. */
  readonly resource: string;
  readonly label: Text;
  /** The page on which it is added; null: a dialog. */
  readonly form: string | null;
  /** Whether the starter catalogue has it. */
  readonly isInCatalogue: boolean;
}

/** In the order in which they are needed. */
const STEPS: readonly Step[] = [
  { resource: 'Simulator', label: tonight.stepSimulator, form: '/simulators/new', isInCatalogue: true },
  { resource: 'TrackLayout', label: tonight.stepLayout, form: '/track-layouts/new', isInCatalogue: true },
  { resource: 'Car', label: tonight.stepCar, form: '/cars/new', isInCatalogue: true },
  { resource: 'Rig', label: tonight.stepRig, form: null, isInCatalogue: false },
  { resource: 'Event', label: tonight.stepEvent, form: '/night', isInCatalogue: false },
];

/** How often, in ms, it is looked what is there. */
const LOOK_EVERY_MS = 10_000;

/** Which steps are done; undefined while that is read. */
export function useSteps() {
  const { client, resource, may } = useSession();
  const read = useCallback(
    async (signal: AbortSignal): Promise<ReadonlySet<string>> => {
      const there = await Promise.all(
        STEPS.map(async (step) => {
          const found = resource(step.resource);
          if (found === null) return true;
          return isAnyThere(client, found, disabledToo(found, may), signal);
        }),
      );
      return new Set(STEPS.filter((_, n) => there[n] === true).map((step) => step.resource));
    },
    [client, resource, may],
  );
  const loaded = useLoaded(read, LOOK_EVERY_MS);
  const { data } = loaded;
  return { loaded, done: data, isComplete: data !== undefined && data.size === STEPS.length, reload: loaded.reload };
}

/**
 * Whether there is a record of a resource.
 * @param withDisabled whether a disabled one counts
 */
async function isAnyThere(
  client: Client,
  { path, paged }: Resource,
  withDisabled: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = new URLSearchParams();
  if (paged !== null) asked.set('size', '1');
  if (withDisabled) asked.set('includeDisabled', 'true');
  const { json } = await client.get(`${path}${paged === null ? '' : '/paged'}?${asked.toString()}`, signal);
  const count = paged === null ? listOf(json).length : numberOf(objectOf(json)['totalElements']);
  return (count ?? 0) > 0;
}

interface ChecklistProps {
  readonly done: ReadonlySet<string>;
  /** Called after something was added. */
  readonly onAdded: () => void;
  readonly venue: ReturnType<typeof useVenueStep>;
}

/** What an evening needs, what of it is there, and what comes next. The venue comes first, and may be left out. */
export function Checklist({ done, onAdded, venue }: ChecklistProps) {
  const next = STEPS.find(({ resource }) => !done.has(resource));
  return (
    <section class="checklist">
      <h2>{t(tonight.checklist)}</h2>
      <ol>
        {(venue.isAskedFor || venue.state === 'set') && (
          <li class={venue.state === 'set' ? 'done' : ''}>
            <StepName label={tonight.stepVenue} isDone={venue.state === 'set'} />
            {venue.isAskedFor && <VenueActions onLeaveOut={venue.leaveOut} />}
          </li>
        )}
        {STEPS.map((step) => (
          <li
            key={step.resource}
            class={done.has(step.resource) ? 'done' : ''}
            aria-current={step === next ? 'step' : undefined}
          >
            <StepName label={step.label} isDone={done.has(step.resource)} />
            {!done.has(step.resource) && <StepActions step={step} isNext={step === next} onAdded={onAdded} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepName({ label, isDone }: { readonly label: Text; readonly isDone: boolean }) {
  return (
    <>
      <span aria-hidden="true" class="mark">
        {isDone ? '✓' : ''}
      </span>
      <span class="what">
        {t(label)}
        <span class="hidden-but-read">{t(isDone ? tonight.stepDone : tonight.stepMissing)}</span>
      </span>
    </>
  );
}

interface StepActionsProps extends Pick<ChecklistProps, 'onAdded'> {
  readonly step: Step;
  readonly isNext: boolean;
}

/** The ways to what is missing: the starter catalogue, and a form. */
function StepActions({ step, isNext, onAdded }: StepActionsProps) {
  const { resource, may, mayCall } = useSession();
  const { create } = useContext(CreatingContext);
  const target = resource(step.resource);
  if (target === null || !may(target.create)) return null;
  const inCatalogue = step.isInCatalogue && mayCall('POST', '/api/v1/operations/starter-catalogue');
  const kindOf = (isFirst: boolean): string => (isNext && isFirst ? 'button primary' : 'button');
  const { form } = step;
  return (
    <>
      {inCatalogue && (
        <Link class={kindOf(true)} to={addressOf('/catalogue')}>
          {t(tonight.fromCatalogue)}
        </Link>
      )}
      {form === null ? (
        <Button
          label={t(tonight.addStep)}
          kind={isNext ? 'primary' : undefined}
          onClick={() => create({ resource: target, typed: t(tonight.firstRig), onCreated: onAdded })}
        />
      ) : (
        <Link class={kindOf(!inCatalogue)} to={addressOf(form)}>
          {t(tonight.addStep)}
        </Link>
      )}
    </>
  );
}
