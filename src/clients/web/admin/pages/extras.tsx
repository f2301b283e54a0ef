import { useState } from 'preact/hooks';
import { listOf, numberOf, objectOf, objectsOf, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import type { Text } from '../../shared/language.ts';
import { base } from '../../shared/base.ts';
import { eventStateAt, type EventTimes } from '../../shared/event-state.ts';
import { useNow } from '../../shared/hooks.ts';
import { csvDelimiter, linkTo, t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import live from '../../texts/live.json' with { type: 'json' };
import overlay from '../../texts/overlay.json' with { type: 'json' };
import { serviceTime } from '../api/client.ts';
import { Confirmed, TokenDialog, tokenIn } from '../parts/dialog.tsx';
import { ActionButton, Loading, useJson } from '../parts/answers.tsx';
import { Names, Table } from '../parts/value.tsx';
import { addressOf, go, Link, mayLeave } from '../router.tsx';
import { useSession } from '../session.ts';
import type { Collection } from './list.tsx';

interface ExtrasProps {
  readonly collection: Collection;
  readonly record: JsonObject;
  readonly id: string;
  readonly reload: () => void;
}

/** Links and actions of a record besides its form: collections within it, and those of its resource. */
export function Extras(props: ExtrasProps) {
  const { resource, path, address } = props.collection;
  const { model, mayCall } = useSession();
  const within = model.resources.filter((other) => other.path.startsWith(`${resource.path}/{`));
  const actions = (ACTIONS[resource.name] ?? []).filter(({ method = 'POST', path: below }) =>
    mayCall(method, `${resource.onePath}${below}`),
  );
  return (
    <>
      {within.length > 0 && (
        <nav class="actions" aria-label={t(say.within)}>
          {within.map(({ name, nameInPath, title }) => (
            <Link key={name} class="button" to={addressOf(`${address}/${props.id}/${nameInPath}`)}>
              {title}
            </Link>
          ))}
        </nav>
      )}
      {resource.name === 'Event' && <EventPages {...props} />}
      {resource.name === 'TrackLayout' && (
        <nav class="actions" aria-label={t(say.ofLayout)}>
          <a class="button" href={linkTo(`/layouts/${props.id}`)}>
            {t(say.bestLaps)}
          </a>
        </nav>
      )}
      {actions.length > 0 && (
        <div class="actions">
          {actions.map((action) => (
            <Action key={action.label.en} {...props} action={action} />
          ))}
        </div>
      )}
      {mayCall('GET', `${resource.onePath}/completeness`) && <Completeness path={`${path}/${props.id}/completeness`} />}
    </>
  );
}

function EventPages(props: ExtrasProps) {
  const { collection, record, id } = props;
  const { may } = useSession();
  const now = useNow();
  const isFinished = typeof record['finishedAt'] === 'string';
  const state = eventStateAt(timesOf(record), now);
  return (
    <>
      <div class="actions">
        <p class={`state ${state}`} data-state={state}>
          {t(live[state])}
        </p>
        {may(collection.resource.change) && <Action key={state} {...props} action={isFinished ? REOPEN : FINISH} />}
      </div>
      {record['enabled'] === false && (
        <div class="notice actions" role="status">
          {t(say.notPublic)}
          {may(collection.resource.change) && <Action {...props} action={PUBLISH} />}
        </div>
      )}
      <nav class="actions" aria-label={t(say.ofEvent)}>
        <a class="button" href={linkTo(`/events/${id}`)}>
          {t(say.board)}
        </a>
        <a class="button" href={linkTo(`/overlay/${id}`)}>
          {t(say.overlay)}
        </a>
        <Link class="button" to={addressOf('/overlay', { eventId: id })}>
          {t(overlay.builder)}
        </Link>
        <a class="button" href={linkTo(`/events/${id}/results`)}>
          {t(say.printedResults)}
        </a>
        <Link class="button" to={addressOf('/review', { eventId: id })}>
          {t(say.review)}
        </Link>
        <a
          class="button"
          href={`${base}/api/v1/events/${id}/results.csv?trackLayoutId=all&bom=true&delimiter=${encodeURIComponent(csvDelimiter)}`}
          download={`results-${id}.csv`}
        >
          {t(say.results)}
        </a>
      </nav>
    </>
  );
}

/** The times of the record of an event. */
function timesOf(record: JsonObject): EventTimes {
  const momentIn = (field: string): string | null => textOf(record[field]) || null;
  return { startsAt: momentIn('startsAt'), endsAt: momentIn('endsAt'), finishedAt: momentIn('finishedAt') };
}

interface RecordAction {
  readonly method?: 'PATCH' | 'DELETE';
  /** Below the path of the record. */
  readonly path: string;
  readonly body?: JsonObject;
  /** A field of the body that gets the present time of the service. */
  readonly now?: string;
  readonly label: Text;
  /** What is asked first; left out for what does no harm. */
  readonly question?: Text;
  /** What becomes of the answer. */
  readonly then: 'show token' | 'download' | 'leave' | 'reload';
}

/** How long an old token may stay valid, in s: an hour, to bring the new one where it is used. */
const GRACE = { graceSeconds: 3_600 };
const NO_GRACE = { graceSeconds: 0 };

const ACTIONS: Readonly<Record<string, readonly RecordAction[]>> = {
  Rig: [{ path: '/key', label: say.issueRigKey, question: say.issueRigKeyQuestion, then: 'show token' }],
  ApiKey: [
    { path: '/rotate', body: NO_GRACE, label: say.rotate, question: say.rotateQuestion, then: 'show token' },
    { path: '/rotate', body: GRACE, label: say.rotateLater, question: say.rotateLaterQuestion, then: 'show token' },
    { method: 'DELETE', path: '', label: say.revoke, question: say.revokeQuestion, then: 'leave' },
  ],
  License: [
    { path: '/file', label: say.licenseFile, then: 'download' },
    { path: '/key', label: say.issueRigKey, question: say.issueLicenseKeyQuestion, then: 'show token' },
    { path: '/rotate-key', label: say.rotateLicense, question: say.rotateLicenseQuestion, then: 'reload' },
  ],
};

const PUBLISH: RecordAction = {
  method: 'PATCH',
  path: '',
  body: { enabled: true },
  label: say.publish,
  then: 'reload',
};

const FINISH: RecordAction = {
  method: 'PATCH',
  path: '',
  now: 'finishedAt',
  label: say.finish,
  question: say.finishQuestion,
  then: 'reload',
};

const REOPEN: RecordAction = {
  method: 'PATCH',
  path: '',
  body: { finishedAt: null },
  label: say.reopen,
  question: say.reopenQuestion,
  then: 'reload',
};

function Action({ action, collection, record, id, reload }: ExtrasProps & { readonly action: RecordAction }) {
  const { method = 'POST', path, body, now, label, question, then } = action;
  const { client } = useSession();
  const [token, setToken] = useState<string | null>(null);
  const perform = async (): Promise<void> => {
    if (then === 'reload' && !mayLeave()) return;
    const its = `${collection.path}/${id}`;
    const sent = now === undefined ? body : { ...body, [now]: await serviceTime(client, its) };
    const { json } = await client.send(method, `${its}${path}`, { body: sent });
    if (then === 'show token') setToken(tokenIn(json));
    else if (then === 'leave') go(addressOf(collection.address));
    else if (then === 'reload') reload();
    else save(`license-${textOf(record['name']) || id}.json`, JSON.stringify(json, null, 2));
  };
  const close = (): void => {
    setToken(null);
    reload();
  };
  return (
    <>
      {question === undefined ? (
        <ActionButton label={t(label)} onAction={perform} />
      ) : (
        <Confirmed label={t(label)} onConfirm={perform}>
          <p>{t(question)}</p>
        </Confirmed>
      )}
      {token !== null && <TokenDialog token={token} onClose={close} />}
    </>
  );
}

function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** How often, in ms, the figures are requested. */
const COMPLETENESS_EVERY_MS = 10_000;

const HEADINGS = [say.rig, say.boot, say.received, say.missingLaps, say.lateLaps, say.conflicts];

function Completeness({ path }: { readonly path: string }) {
  const loaded = useJson(path, COMPLETENESS_EVERY_MS);
  const rigs = objectsOf(objectOf(loaded.data)['rigs']);
  const boots = rigs.flatMap((rig) =>
    listOf(rig['boots']).map((boot) => ({ rigId: textOf(rig['rigId']), boot: objectOf(boot) })),
  );
  return (
    <section class="completeness">
      <h2>{t(say.completeness)}</h2>
      <Loading of={loaded} />
      {loaded.data !== undefined && boots.length === 0 && <p class="quiet">{t(say.uncounted)}</p>}
      {boots.length > 0 && (
        <Table label={t(say.completeness)} headings={HEADINGS.map((heading) => t(heading))}>
          {boots.map(({ rigId, boot }) => (
            <Boot key={`${rigId} ${textOf(boot['boot'])}`} rigId={rigId} boot={boot} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Boot({ rigId, boot }: { readonly rigId: string; readonly boot: JsonObject }) {
  const missing = ranges(boot['missing']);
  return (
    <tr>
      <th scope="row">
        <Names refersTo="Rig" ids={[rigId]} />
      </th>
      <td>{textOf(boot['boot'])}</td>
      <td class="numbers">{`${numberOf(boot['received']) ?? ''} / ${numberOf(boot['expected']) ?? ''}`}</td>
      <td class={missing === '' ? 'good' : 'bad'}>{missing || t(say.nothing)}</td>
      <td>{ranges(boot['late']) || t(say.nothing)}</td>
      <td class={ranges(boot['conflicts']) === '' ? '' : 'bad'}>{ranges(boot['conflicts']) || t(say.nothing)}</td>
    </tr>
  );
}

/** Numbers, and ranges of them: `12, 39–40`. */
function ranges(value: Json | undefined): string {
  return listOf(value)
    .map((one) => [...new Set(Array.isArray(one) ? one : [one])].map(String).join('–'))
    .join(', ');
}
