import { numberOf, objectOf, textOf, type JsonObject } from '../../../shared/json.ts';
import { t } from '../../../shared/page.ts';
import * as say from '../../../texts/admin.ts';
import { Confirmed } from '../../parts/confirmed.tsx';
import { Facts } from '../../parts/facts.tsx';
import { duration } from '../../parts/value.tsx';
import { useSession } from '../../session.ts';

/** Phases in which no rebuild is running. */
const AT_REST = new Set(['none', 'done', 'failed']);

/** Fields that are shown beside the bar. */
const SHOWN = new Set([
  'phase',
  'generation',
  'requestedAt',
  'apiKeyName',
  'startedAt',
  'finishedAt',
  'error',
  'process',
]);

interface RebuildProps {
  readonly rebuild: JsonObject;
  readonly onAsked: () => void;
}

/** The current rebuild of the read models, with its remaining time, or the last one. */
export function Rebuild({ rebuild, onAsked }: RebuildProps) {
  const { client, model } = useSession();
  const phase = textOf(rebuild['phase']);
  const isRunning = phase !== '' && !AT_REST.has(phase);
  return (
    <section class="rebuild">
      <h2>{t(say.rebuild)}</h2>
      {isRunning && <Progress progress={objectOf(rebuild['progress'])} />}
      <Facts fields={model.fields('Rebuild').filter(({ name }) => SHOWN.has(name))} record={rebuild} />
      {!isRunning && (
        <Confirmed
          label={t(say.startRebuild)}
          question={t(say.rebuildQuestion)}
          onConfirm={async () => {
            await client.send('POST', '/api/v1/operations/rebuild');
            onAsked();
          }}
        />
      )}
    </section>
  );
}

function Progress({ progress }: { readonly progress: JsonObject }) {
  const percent = numberOf(progress['percent']);
  const eta = numberOf(progress['etaMs']);
  return (
    <p class="progress">
      <progress max={100} value={percent} aria-label={t(say.rebuild)} />
      {percent !== undefined &&
        t(say.progress, {
          percent,
          events: numberOf(progress['events']) ?? 0,
          rate: numberOf(progress['eventsPerSecond']) ?? 0,
        })}
      {eta !== undefined && ` ${t(say.eta, { eta: duration(eta) })}`}
    </p>
  );
}
