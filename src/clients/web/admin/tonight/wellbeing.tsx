import { useNow } from '../../shared/hooks.ts';
import { numberOf, objectOf, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import common from '../../texts/common.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { useJson } from '../parts/answers.tsx';
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { isSeen, rigName } from './rigs.tsx';

/** How often, in ms, the status is requested. */
const STATUS_EVERY_MS = 10_000;

const STATUS = '/api/v1/operations/status';

interface WellBeingProps {
  /** The rigs of the event that goes on, which should be seen. */
  readonly rigs: readonly JsonObject[];
}

/** "All is well", or what is not. */
export function WellBeing({ rigs }: WellBeingProps) {
  const { mayCall } = useSession();
  const isOperator = mayCall('GET', STATUS);
  const { data, failed } = useJson(isOperator ? STATUS : '/actuator/health', STATUS_EVERY_MS);
  const now = useNow(STATUS_EVERY_MS);
  if (failed) return <p class="well-being bad" role="status">{`⚠ ${t(common.unreachable)}`}</p>;
  if (data === undefined)
    return (
      <p class="well-being quiet" role="status">
        {t(common.loading)}
      </p>
    );
  // One that never used its key is not set up yet.
  const unseen = rigs.filter((rig) => rig['lastSeenAt'] !== null && !isSeen(rig, now));
  const faults = [...faultsOf(data), ...unseen.map((rig) => t(tonight.unseenRig, { rig: rigName(rig) }))];
  if (faults.length === 0) return <p class="well-being good" role="status">{`✓ ${t(tonight.allIsWell)}`}</p>;
  return (
    <div class="well-being" role="status">
      <p class="bad">{`⚠ ${t(tonight.notWell)}`}</p>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      {isOperator && <Link to={addressOf('/operations')}>{t(tonight.toOperations)}</Link>}
    </div>
  );
}

/** What is not well of the service itself: of a status of operations, or, for keys that do not see it, of a health. */
function faultsOf(answer: Json): readonly string[] {
  const status = objectOf(answer);
  const health = status['health'] === undefined ? status : objectOf(status['health']);
  const faults: string[] = [];
  for (const [name, component] of Object.entries(objectOf(health['components']))) {
    if (textOf(objectOf(component)['status']) !== 'UP') faults.push(t(tonight.componentDown, { name }));
  }
  if (faults.length === 0 && health['status'] !== 'UP') faults.push(t(tonight.serviceDown));
  const letters = numberOf(status['deadLetters']) ?? 0;
  if (letters > 0) faults.push(t(tonight.deadLetters, { count: letters }));
  return faults;
}
