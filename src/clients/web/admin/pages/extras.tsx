import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { textOf, type JsonObject } from '../../shared/json.ts';
import type { Text } from '../../shared/language.ts';
import { linkTo, t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Completeness } from '../parts/completeness.tsx';
import { Confirmed, TokenDialog, tokenIn } from '../parts/dialog.tsx';
import { Problem, useAction } from '../parts/problem.tsx';
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
  const { collection, id } = props;
  const { resource, path, address } = collection;
  const { model, mayCall } = useSession();
  const within = model.resources.filter((other) => other.path.startsWith(`${resource.path}/{`));
  return (
    <>
      {within.length > 0 && (
        <nav class="actions" aria-label={t(say.within)}>
          {within.map((other) => (
            <Link
              key={other.name}
              class="button"
              to={addressOf(`${address}/${id}/${other.path.split('/').at(-1) ?? ''}`)}
            >
              {other.title}
            </Link>
          ))}
        </nav>
      )}
      {resource.name === 'Event' && <EventPages {...props} />}
      <Actions {...props} />
      {mayCall('GET', `${resource.onePath}/completeness`) && <Completeness path={`${path}/${id}/completeness`} />}
    </>
  );
}

function EventPages({ collection, record, id, reload }: ExtrasProps) {
  const { client, may } = useSession();
  const { failure, run } = useAction();
  const publish = async (): Promise<void> => {
    if (!mayLeave()) return;
    await client.send('PATCH', `${collection.path}/${id}`, { body: { enabled: true } });
    reload();
  };
  return (
    <>
      {record['enabled'] === false && (
        <div class="notice actions" role="status">
          {t(say.notPublic)}
          {may(collection.resource.change) && <Button onClick={() => run(publish)}>{t(say.publish)}</Button>}
          <Problem error={failure} />
        </div>
      )}
      <nav class="actions" aria-label={t(say.ofEvent)}>
        <a class="button" href={linkTo(`/events/${id}`)}>
          {t(say.board)}
        </a>
        <a class="button" href={linkTo(`/overlay/${id}`)}>
          {t(say.overlay)}
        </a>
        <Link class="button" to={addressOf('/review', { eventId: id })}>
          {t(say.review)}
        </Link>
        <a
          class="button"
          href={`/api/v1/events/${id}/results.csv?trackLayoutId=all&bom=true`}
          download={`results-${id}.csv`}
        >
          {t(say.results)}
        </a>
      </nav>
    </>
  );
}

interface RecordAction {
  readonly method?: 'DELETE';
  /** Below the path of the record. */
  readonly path: string;
  readonly body?: JsonObject;
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
    { path: '/rotate-key', label: say.rotateLicense, question: say.rotateLicenseQuestion, then: 'reload' },
  ],
};

function Actions({ collection: { resource, path, address }, record, id, reload }: ExtrasProps) {
  const { client, mayCall } = useSession();
  const { failure, run } = useAction();
  const [token, setToken] = useState<string | null>(null);
  const actions = (ACTIONS[resource.name] ?? []).filter((action) =>
    mayCall(action.method ?? 'POST', `${resource.onePath}${action.path}`),
  );
  if (actions.length === 0) return null;
  const perform = async (action: RecordAction): Promise<void> => {
    if (action.then === 'reload' && !mayLeave()) return;
    const { json } = await client.send(action.method ?? 'POST', `${path}/${id}${action.path}`, { body: action.body });
    if (action.then === 'show token') setToken(tokenIn(json));
    else if (action.then === 'leave') go(addressOf(address));
    else if (action.then === 'reload') reload();
    else save(`license-${textOf(record['name']) || id}.json`, JSON.stringify(json, null, 2));
  };
  const close = (): void => {
    setToken(null);
    reload();
  };
  return (
    <div class="actions">
      {actions.map((action) => {
        const [label, confirm] = [t(action.label), () => perform(action)];
        if (action.question !== undefined)
          return <Confirmed key={label} label={label} question={t(action.question)} onConfirm={confirm} />;
        return (
          <Button key={label} onClick={() => run(confirm)}>
            {label}
          </Button>
        );
      })}
      <Problem error={failure} />
      {token !== null && <TokenDialog token={token} onClose={close} />}
    </div>
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
