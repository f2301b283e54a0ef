import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { numberOf, objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { base } from '../../shared/base.ts';
import { showClock, showInstant, t } from '../../shared/page.ts';
import { lapTime } from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { ifMatch, Refused } from '../api/client.ts';
import type { Resource } from '../api/model.ts';
import { Confirmed } from '../parts/dialog.tsx';
import { Filters } from '../parts/filters.tsx';
import { History } from '../parts/history.tsx';
import { Loading, useJson } from '../parts/answers.tsx';
import { Picker } from '../parts/picker.tsx';
import { Cells, Table, columnsOf, namesakesIn, type Namesakes, type ShownField } from '../parts/value.tsx';
import { addressOf, go } from '../router.tsx';
import { useSession } from '../session.ts';

/** How many of the newest laps are shown, and how often, in ms, they are requested. */
const WATCHED = { laps: 50, everyMs: 2_000 };

/** Columns that the review leaves out: the event is chosen above, and all laps of it are listed. */
const LEFT_OUT = new Set(['eventName', 'sequence', 'updatedAt', 'drivenAt']);

/** The newest laps of all events or of one, to be invalidated or validated again. */
export function ReviewPage({ query }: { readonly query: URLSearchParams }) {
  const { resource } = useSession();
  const laps = resource('Lap');
  const filters = (laps?.filters ?? []).filter(({ name }) => name !== 'eventId');
  const kept = [...query].filter(([name]) => name === 'eventId' || filters.some((filter) => filter.name === name));
  const asked = new URLSearchParams([...kept, ['size', String(WATCHED.laps)], ['sort', 'createdAt,desc']]).toString();
  const loaded = useJson(`/api/v1/laps/paged?${asked}`, WATCHED.everyMs);
  const records = objectsOf(objectOf(loaded.data)['content']);
  useLapsOf(query.get('eventId'), loaded.reload);
  const change = (changes: Readonly<Record<string, string>>): void => {
    go(addressOf('/review', { ...Object.fromEntries(kept), ...changes }));
  };
  return (
    <section>
      <header class="page-head">
        <h1>{t(say.review)}</h1>
        <div class="form-field">
          <label for="review-event">{t(say.event)}</label>
          <Picker
            id="review-event"
            refersTo="Event"
            chosen={[query.get('eventId') ?? ''].filter(Boolean)}
            many={false}
            onChange={([eventId = '']) => change({ eventId })}
          />
        </div>
      </header>
      <Filters filters={filters} query={query} onChange={change} />
      <Loading of={loaded} />
      {loaded.data !== undefined && records.length === 0 && <p class="empty">{t(say.noLaps)}</p>}
      {laps !== null && records.length > 0 && <Laps laps={laps} records={records} reload={loaded.reload} />}
    </section>
  );
}

/** How long, in ms, to wait for further laps before the list is requested again. */
const GATHER_MS = 250;

/** Calls back when laps arrive on the live stream of an event; laps on other layouts are only polled. */
function useLapsOf(eventId: string | null, onLaps: () => void): void {
  useEffect(() => {
    if (eventId === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stream = new EventSource(`${base}/api/v1/events/${encodeURIComponent(eventId)}/live`);
    stream.addEventListener('lap', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        onLaps();
      }, GATHER_MS);
    });
    return () => {
      stream.close();
      clearTimeout(timer);
    };
  }, [eventId, onLaps]);
}

interface LapsProps {
  readonly laps: Resource;
  readonly records: readonly JsonObject[];
  readonly reload: () => void;
}

function Laps({ laps, records, reload }: LapsProps) {
  const columns = columnsOf(laps.view).filter(({ name }) => !LEFT_OUT.has(name));
  const namesakes = namesakesIn(columns, records);
  const [openId, setOpenId] = useState('');
  return (
    <Table
      class="review"
      label={laps.title}
      headings={[t(say.recorded), ...columns.map(({ label }) => label), t(say.actions)]}
    >
      {records.map((lap) => (
        <LapRow
          key={textOf(lap['id'])}
          laps={laps}
          columns={columns}
          namesakes={namesakes}
          lap={lap}
          reload={reload}
          isOpen={openId === lap['id']}
          onToggle={() => setOpenId((before) => (before === lap['id'] ? '' : textOf(lap['id'])))}
        />
      ))}
    </Table>
  );
}

interface LapRowProps extends Omit<LapsProps, 'records'> {
  readonly columns: readonly ShownField[];
  readonly namesakes: Namesakes;
  readonly lap: JsonObject;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function LapRow({ laps, columns, namesakes, lap, reload, isOpen, onToggle }: LapRowProps) {
  const { may } = useSession();
  const recordedAt = textOf(lap['createdAt']);
  const path = `/api/v1/laps/${textOf(lap['id'])}`;
  return (
    <>
      <tr class={lap['valid'] === true ? '' : 'invalid'}>
        <th scope="row">
          <time dateTime={recordedAt} title={showInstant(recordedAt)}>
            {showClock(recordedAt)}
          </time>
        </th>
        <Cells fields={columns} record={lap} namesakes={namesakes} />
        <td class="row-actions">
          {may(laps.change) && <Verdict path={path} lap={lap} onDone={reload} />}
          {may(laps.history) && <Button label={t(say.history)} aria-expanded={isOpen} onClick={onToggle} />}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={columns.length + 2}>
            <History key={textOf(lap['updatedAt'])} path={path} of={laps} />
          </td>
        </tr>
      )}
    </>
  );
}

interface VerdictProps {
  readonly path: string;
  readonly lap: JsonObject;
  readonly onDone: () => void;
}

function Verdict({ path, lap, onDone }: VerdictProps) {
  const { client } = useSession();
  const id = useId();
  const wasValid = lap['valid'] === true;
  const send = async (entries: FormData): Promise<void> => {
    const entry = entries.get('reason');
    const reason = typeof entry === 'string' ? entry.trim() : '';
    if (wasValid && reason === '') throw new Error(t(say.reasonNeeded));
    const { json, etag } = await client.get(path);
    if (objectOf(json)['valid'] !== wasValid) throw new Error(t(say.changedMeanwhile));
    const body = reason === '' ? { valid: !wasValid } : { valid: !wasValid, reason };
    await client.send('PATCH', path, { body, headers: ifMatch(etag) }).catch((error: unknown) => {
      throw error instanceof Refused && error.status === 412 ? new Error(t(say.changedMeanwhile)) : error;
    });
    onDone();
  };
  return (
    <Confirmed
      label={t(wasValid ? say.invalidate : say.validate)}
      kind={wasValid ? 'danger' : 'primary'}
      onConfirm={send}
    >
      <p>
        <bdi>{textOf(lap['participantName'])}</bdi>, {lapTime(numberOf(lap['totalTime']) ?? 0)}
      </p>
      <label for={id}>{t(wasValid ? say.reason : say.reasonOptional)}</label>
      <input id={id} name="reason" class="field" maxLength={255} autocomplete="off" />
    </Confirmed>
  );
}
