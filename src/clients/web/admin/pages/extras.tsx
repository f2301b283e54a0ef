import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../shared/buttons.tsx';
import { textOf, type JsonObject } from '../../shared/json.ts';
import { linkTo, t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { Completeness } from '../parts/completeness.tsx';
import { Confirmed, TokenDialog, tokenIn } from '../parts/dialog.tsx';
import { Problem, useAction } from '../parts/problem.tsx';
import { addressOf, go, Link } from '../router.tsx';
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
  const { model } = useSession();
  const Own = BY_RESOURCE[collection.resource.name];
  const within = model.resources.filter(({ path }) => path.startsWith(`${collection.resource.path}/{`));
  return (
    <>
      {within.length > 0 && (
        <nav class="actions" aria-label={t(say.within)}>
          {within.map(({ name, path, title }) => (
            <Link
              key={name}
              class="button"
              to={addressOf(`${collection.address}/${id}/${path.split('/').at(-1) ?? ''}`)}
            >
              {title}
            </Link>
          ))}
        </nav>
      )}
      {Own !== undefined && <Own {...props} />}
    </>
  );
}

const BY_RESOURCE: Readonly<Record<string, FunctionComponent<ExtrasProps>>> = {
  Event: EventExtras,
  Rig: RigExtras,
  ApiKey: KeyExtras,
  License: LicenseExtras,
};

function EventExtras({ id }: ExtrasProps) {
  const { mayCall } = useSession();
  return (
    <>
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
        <a class="button" href={`/api/v1/events/${id}/results.csv?bom=true`} download={`results-${id}.csv`}>
          {t(say.results)}
        </a>
      </nav>
      {mayCall('GET', '/api/v1/events/{eventId}/completeness') && (
        <Completeness path={`/api/v1/events/${id}/completeness`} />
      )}
    </>
  );
}

/** Requests a new token from a path, and shows it once in a dialog. */
function useNewToken(path: string, onClosed?: () => void) {
  const { client } = useSession();
  const [token, setToken] = useState<string | null>(null);
  const close = (): void => {
    setToken(null);
    onClosed?.();
  };
  const issue = async (body?: JsonObject): Promise<void> =>
    setToken(tokenIn((await client.send('POST', path, { body })).json));
  return { issue, dialog: token !== null && <TokenDialog token={token} onClose={close} /> };
}

function RigExtras({ id }: ExtrasProps) {
  const { mayCall } = useSession();
  const { issue, dialog } = useNewToken(`/api/v1/rigs/${id}/key`);
  return (
    <>
      {mayCall('POST', '/api/v1/rigs/{rigId}/key') && (
        <div class="actions">
          <Confirmed label={t(say.issueRigKey)} question={t(say.issueRigKeyQuestion)} onConfirm={() => issue()} />
        </div>
      )}
      {dialog}
      {mayCall('GET', '/api/v1/rigs/{rigId}/completeness') && <Completeness path={`/api/v1/rigs/${id}/completeness`} />}
    </>
  );
}

/** How long an old token may stay valid, in s: an hour, to bring the new one where it is used. */
const GRACE_SECONDS = 3_600;

function KeyExtras({ id, collection, reload }: ExtrasProps) {
  const { client } = useSession();
  const { issue, dialog } = useNewToken(`/api/v1/api-keys/${id}/rotate`, reload);
  const rotate = (graceSeconds: number) => () => issue({ graceSeconds });
  const revoke = async (): Promise<void> => {
    await client.send('DELETE', `/api/v1/api-keys/${id}`);
    go(addressOf(collection.address));
  };
  return (
    <div class="actions">
      <Confirmed label={t(say.rotate)} question={t(say.rotateQuestion)} onConfirm={rotate(0)} />
      <Confirmed label={t(say.rotateLater)} question={t(say.rotateLaterQuestion)} onConfirm={rotate(GRACE_SECONDS)} />
      <Confirmed label={t(say.revoke)} question={t(say.revokeQuestion)} onConfirm={revoke} />
      {dialog}
    </div>
  );
}

function LicenseExtras({ id, record, reload }: ExtrasProps) {
  const { client, mayCall } = useSession();
  const { failure, run } = useAction();
  const rotate = async (): Promise<void> => {
    await client.send('POST', `/api/v1/licenses/${id}/rotate-key`);
    reload();
  };
  const download = async (): Promise<void> => {
    const { json } = await client.send('POST', `/api/v1/licenses/${id}/file`);
    save(`license-${textOf(record['name']) || id}.json`, JSON.stringify(json, null, 2));
  };
  return (
    <div class="actions">
      {mayCall('POST', '/api/v1/licenses/{licenseId}/file') && (
        <Button onClick={() => run(download)}>{t(say.licenseFile)}</Button>
      )}
      {mayCall('POST', '/api/v1/licenses/{licenseId}/rotate-key') && (
        <Confirmed label={t(say.rotateLicense)} question={t(say.rotateLicenseQuestion)} onConfirm={rotate} />
      )}
      <Problem error={failure} />
    </div>
  );
}

/** Downloads a text as a file. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
