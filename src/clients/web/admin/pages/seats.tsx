import { useId, useState } from 'preact/hooks';
import { nameApart, tellApart } from '../../shared/apart.ts';
import { Button } from '../../shared/controls.tsx';
import { useNow } from '../../shared/hooks.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf, type JsonObject } from '../../shared/json.ts';
import { fromLocal, toLocal } from '../../shared/local-times.ts';
import { shownZone, t } from '../../shared/page.ts';
import { duration, lapTime, wholeSeconds } from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import desk from '../../texts/desk.json' with { type: 'json' };
import { Desk } from '../desk/event.tsx';
import { useFloor, type TakenSeat } from '../desk/floor.ts';
import { PairRig } from '../desk/pair-rig.tsx';
import { PersonSearch } from '../desk/person-search.tsx';
import { QueuePanel } from '../desk/queue-panel.tsx';
import { leaveSeat, takeSeat } from '../desk/seat-changes.ts';
import { WhoseLaps } from '../desk/whose-laps.tsx';
import { Loading, Problem, useAction, useJson } from '../parts/answers.tsx';
import { Cancel, Dialog } from '../parts/dialog.tsx';
import { InstantInput } from '../parts/instant-input.tsx';
import { useSession } from '../session.ts';
import { rigName, Seen, useRigs } from '../tonight/rigs.tsx';

/** Who sits on which rig: a tap on a name, and a tap on a rig. */
export function SeatsPage({ query }: { readonly query: URLSearchParams }) {
  return (
    <Desk page="seats" title={t(desk.seats)} query={query}>
      {(event, reload) => <Seats key={textOf(event['id'])} event={event} onRigs={reload} />}
    </Desk>
  );
}

/** Of how many of the newest laps the last one of each rig is shown, and how often, in ms, they are requested. */
const LAPS = { newest: 200, everyMs: 5_000 };

/** The least time that somebody is said to sit somewhere, in ms. */
const LEAST_MS = 1_000;

/** Somebody who is chosen to take a seat. */
interface Person {
  readonly id: string;
  readonly name: string;
}

interface SeatsProps {
  readonly event: JsonObject;
  /** The event has other rigs now. */
  readonly onRigs: () => void;
}

function Seats({ event, onRigs }: SeatsProps) {
  const eventId = textOf(event['id']);
  const { client, licenseId } = useSession();
  const laps = useJson(`/api/v1/laps/paged?eventId=${eventId}&size=${LAPS.newest}&sort=createdAt,desc`, LAPS.everyMs);
  const floor = useFloor(eventId, laps.reload);
  const { loaded, rigs } = useRigs(licenseId, textsOf(event['rigIds']).length > 0 ? event : null);
  const { failure, run } = useAction();
  const [chosen, choose] = useState<Person | null>(null);
  const [said, tell] = useState('');
  const [openRig, setOpenRig] = useState('');
  const now = useNow();
  const seats = floor.data?.seats ?? NO_SEATS;
  const queue = floor.data?.queue ?? [];
  const apart = tellApart(
    [...seats.values(), ...queue].map(({ participantId, participantName }) => ({
      id: participantId,
      name: participantName,
    })),
  );
  const tap = (rig: JsonObject): void => {
    const rigId = textOf(rig['id']);
    if (chosen === null) {
      if (seats.has(rigId)) setOpenRig(rigId);
      else tell(t(desk.chooseFirst));
      return;
    }
    run(async () => {
      await takeSeat(client, rigId, { participantId: chosen.id, eventId });
      tell(t(desk.sitsThere, { name: chosen.name, rig: rigName(rig) }));
      choose(null);
    });
  };
  const opened = rigs.find(({ id }) => id === openRig);
  const openSeat = seats.get(openRig);
  return (
    <div class="desk-columns seats-columns">
      <div class="who-is-next">
        <Loading of={floor} />
        <QueuePanel
          eventId={eventId}
          queue={queue}
          chosen={chosen?.id ?? ''}
          onChoose={(entry) => {
            const isSame = chosen?.id === entry.participantId;
            choose(isSame ? null : { id: entry.participantId, name: entry.participantName });
          }}
        />
        <PersonSearch id="somebody" label={t(desk.somebodyElse)} hint="" onPerson={choose} />
      </div>
      <div class="rig-tiles">
        <p role="status" class={chosen === null ? 'said' : 'said is-chosen'}>
          {chosen === null ? said : t(desk.chooseRig, { name: chosen.name })}
        </p>
        <Problem error={failure} />
        {floor.data !== undefined && (
          <WhoseLaps
            event={event}
            rigs={rigs.filter(({ id }) => !seats.has(textOf(id)))}
            chosen={chosen}
            onSaid={(message, isDone) => {
              tell(message);
              if (isDone) choose(null);
            }}
          />
        )}
        <Loading of={loaded} />
        {loaded.data !== undefined && rigs.length === 0 && <p class="empty">{t(desk.noRigs)}</p>}
        <PairRig
          eventId={eventId}
          onPaired={(name) => {
            onRigs();
            loaded.reload();
            tell(t(desk.isPaired, { name }));
          }}
        />
        <ul class="tiles" aria-label={t(desk.rigs)}>
          {rigs.map((rig) => {
            const rigId = textOf(rig['id']);
            const seat = seats.get(rigId);
            return (
              <Tile
                key={rigId}
                rig={rig}
                name={
                  seat === undefined ? '' : nameApart({ id: seat.participantId, name: seat.participantName }, apart)
                }
                seat={seat}
                lap={newestLap(objectsOf(objectOf(laps.data)['content']), rigId)}
                now={now}
                onTap={() => tap(rig)}
                onMore={() => setOpenRig(rigId)}
              />
            );
          })}
        </ul>
      </div>
      {opened !== undefined && openSeat !== undefined && (
        <SeatDialog
          key={openSeat.participantId}
          rig={opened}
          seat={openSeat}
          eventId={eventId}
          onClose={(message) => {
            setOpenRig('');
            tell(message);
          }}
        />
      )}
    </div>
  );
}

const NO_SEATS: ReadonlyMap<string, TakenSeat> = new Map();

/** Of laps, the one of a rig that was driven last. */
function newestLap(laps: readonly JsonObject[], rigId: string): JsonObject | undefined {
  let newest: JsonObject | undefined;
  for (const lap of laps) {
    const isOfRig = lap['rigId'] === rigId;
    if (isOfRig && textOf(lap['drivenAt']) > textOf(newest?.['drivenAt'])) newest = lap;
  }
  return newest;
}

interface TileProps {
  readonly rig: JsonObject;
  /** Name of whoever sits there; empty: nobody. */
  readonly name: string;
  readonly seat: TakenSeat | undefined;
  readonly lap: JsonObject | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly onTap: () => void;
  readonly onMore: () => void;
}

function Tile({ rig, name, seat, lap, now, onTap, onMore }: TileProps) {
  return (
    <li class={seat === undefined ? 'tile' : 'tile taken'}>
      <button type="button" class="sit" onClick={onTap}>
        <span class="rig">{rigName(rig)}</span>
        <bdi class="name">{seat === undefined ? t(desk.free) : name}</bdi>
        <span class="facts-of-seat">
          {seat !== undefined && (
            <span class="numbers">
              {t(desk.sitsFor, { time: duration(Math.max(LEAST_MS, wholeSeconds(now - Date.parse(seat.from)))) })}
            </span>
          )}
          {lap !== undefined && (
            <span class={lap['valid'] === true ? 'numbers' : 'numbers invalid-lap'}>
              {t(desk.lastLap, { time: lapTime(numberOf(lap['totalTime']) ?? null) })}
            </span>
          )}
          <Seen rig={rig} now={now} />
        </span>
      </button>
      {seat !== undefined && (
        <button type="button" class="more" aria-label={t(desk.moreOf, { rig: rigName(rig) })} onClick={onMore}>
          ⋯
        </button>
      )}
    </li>
  );
}

interface SeatDialogProps {
  readonly rig: JsonObject;
  readonly seat: TakenSeat;
  readonly eventId: string;
  /** Gets what has happened; empty: nothing. */
  readonly onClose: (message: string) => void;
}

/** Corrects since when somebody sits on a rig, or ends it. */
function SeatDialog({ rig, seat, eventId, onClose }: SeatDialogProps) {
  const { client } = useSession();
  const { busy, failure, run } = useAction();
  const id = useId();
  const before = toLocal(seat.from, shownZone()).slice(0, LOCAL_MINUTE);
  const [draft, setDraft] = useState(before);
  const { rigId, participantId, participantName } = seat;
  const values = { name: participantName, rig: rigName(rig) };
  const save = async (): Promise<void> => {
    const from = fromLocal(draft, shownZone())?.instant;
    if (from === undefined) throw new Error(t(say.noInstant));
    if (draft !== before) await takeSeat(client, rigId, { participantId, eventId, from });
    onClose(draft === before ? '' : t(desk.sinceCorrected, values));
  };
  const leave = async (): Promise<void> => {
    await leaveSeat(client, rigId);
    onClose(t(desk.hasLeft, values));
  };
  return (
    <Dialog title={rigName(rig)} onClose={() => onClose('')}>
      <p>
        <bdi>{participantName}</bdi>
      </p>
      <Problem error={failure} />
      <div class="actions">
        <Button label={t(desk.leave)} kind="danger" disabled={busy} onClick={() => run(leave)} />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(save);
        }}
      >
        <label for={id}>{t(desk.since)}</label>
        <InstantInput id={id} draft={draft} onInput={setDraft} />
        <p class="hint">{t(desk.sinceHint)}</p>
        <div class="actions">
          <Cancel onCancel={() => onClose('')} />
          <Button label={t(say.save)} type="submit" kind="primary" disabled={busy} />
        </div>
      </form>
    </Dialog>
  );
}

/** Length of a local time to the minute. */
const LOCAL_MINUTE = '2026-05-01T20:15'.length;
