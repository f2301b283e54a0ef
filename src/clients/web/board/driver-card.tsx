import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import type { Row } from '../live/messages.ts';
import { Button } from '../shared/controls.tsx';
import { api } from '../shared/api.ts';
import { useRetried } from '../shared/hooks.ts';
import { showClock, t } from '../shared/page.ts';
import { gap, lapTime } from '../shared/times.ts';
import say from '../texts/board.json' with { type: 'json' };
import common from '../texts/common.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import { bestOfCars, numberedLaps, type DriverLap } from './driver-laps.ts';

/** Most laps that are read: the newest ones. */
const MOST_LAPS = 500;

/** Most sectors whose times have room. */
const MOST_SECTORS = 4;

/** Which laps of a driver are shown. */
interface DriverCardProps {
  readonly eventId: string;
  readonly layoutId: string;
  /** The driver's row on the board. */
  readonly row: Row;
  /** Whether laps with a car are on the board. */
  readonly isCarShown: (car: string) => boolean;
  /** The moment (ISO 8601) after which laps were not recorded yet; null: now. */
  readonly until: string | null;
  /** When the event was finished (ISO 8601); null: it was not. */
  readonly finishedAt: string | null;
  readonly close: () => void;
}

/** The laps of a driver of a board, over the board: what the numbers in the row are made of. */
export function DriverCard({ row, isCarShown, finishedAt, close, ...which }: DriverCardProps) {
  const { laps, cars, areMore, failed, reload } = useLaps(row, which);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const counting = useMemo(
    () => laps?.filter(({ car, drivenAt }) => isCarShown(car) && (finishedAt === null || drivenAt <= finishedAt)),
    [laps, isCarShown, finishedAt],
  );
  const isBehind = counting !== undefined && !areMore && !isSame(counting, row);
  useReadAgain(isBehind, counting, reload);
  const numbered = useMemo(() => (counting === undefined ? undefined : numberedLaps(counting, row.laps)), [counting]);
  const bests = useMemo(() => bestOfCars(numbered ?? []), [numbered]);
  const { participantName, position, bestLap, gapToLeader } = row;
  return (
    // What is outside of its content is the dialog itself: a tap there closes it.
    <dialog
      ref={dialog}
      class="driver-card"
      aria-labelledby="driver-card-name"
      onClose={close}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div class="inside">
        <header>
          <h2 id="driver-card-name">
            <bdi>{participantName}</bdi>
          </h2>
          <Button label={t(say.close)} onClick={() => dialog.current?.close()} />
        </header>
        <p class="numbers">
          {t(say.placeOf, { position })} · <strong>{lapTime(bestLap.totalTime)}</strong>
          {gapToLeader !== null && gapToLeader > 0 && ` · ${gap(gapToLeader)}`}
        </p>
        <p>{lapsText(row)}</p>
        <p role="status" class={numbered === undefined ? '' : 'hidden-but-read'}>
          {numbered === undefined && t(failed ? common.unreachable : common.loading)}
        </p>
        {bests.length > 1 && <BestOfCars bests={bests} cars={cars} />}
        {numbered !== undefined && <Laps laps={numbered} row={row} cars={cars} />}
        {areMore && <p class="quiet">{t(say.onlyNewest, { number: MOST_LAPS })}</p>}
      </div>
    </dialog>
  );
}

/** Explains the numbers of laps in a row. */
export function lapsText({ laps, validLaps }: Pick<Row, 'laps' | 'validLaps'>): string {
  if (laps === validLaps) return t(laps === 1 ? say.oneValidLap : say.allLapsValid, { laps });
  return t(say.someLapsValid, { laps, valid: validLaps });
}

/** The newest laps of a driver, which are read again when one comes or changes; undefined until they have been read. */
function useLaps(row: Row, { eventId, layoutId, until }: Pick<DriverCardProps, 'eventId' | 'layoutId' | 'until'>) {
  const { participantId } = row;
  const load = useCallback(
    async (signal: AbortSignal) => {
      const ofDriver = {
        eventId,
        participantId,
        trackId: layoutId,
        minTotalTime: 1,
        sort: 'drivenAt,desc',
        size: MOST_LAPS,
      };
      const query = until === null ? ofDriver : { ...ofDriver, to: until };
      const { data } = await api.GET('/api/v1/laps/paged', { params: { query }, signal });
      if (data === undefined) throw new Error('the laps were refused');
      const cars = await namesOfCars(new Set(data.content.map(({ car }) => car)), signal);
      return { laps: data.content, areMore: !data.last, cars };
    },
    [eventId, layoutId, participantId, until],
  );
  const { data, failed, reload } = useRetried(load);
  useEffect(reload, [row.laps, row.validLaps, row.lastLap.lapId, row.bestLap.lapId]);
  return { reload, laps: data?.laps, cars: data?.cars ?? NO_CARS, areMore: data?.areMore ?? false, failed };
}

/** Whether laps are those that a row counts. */
function isSame(laps: readonly { readonly valid: boolean }[], row: Pick<Row, 'laps' | 'validLaps'>): boolean {
  return laps.length === row.laps && laps.filter(({ valid }) => valid).length === row.validLaps;
}

/** Time, in ms, until laps that are not yet those of the board are read again, and how many times they are. */
const AGAIN_MS = 500;
const MOST_AGAIN = 10;

/** Reads again while the list of laps is behind the board, which the service tells a moment earlier. */
function useReadAgain(isBehind: boolean, read: unknown, reload: () => void): void {
  const times = useRef(0);
  useEffect(() => {
    if (!isBehind) times.current = 0;
    if (!isBehind || times.current >= MOST_AGAIN) return undefined;
    times.current += 1;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isBehind, read]);
}

/** Makers and models of cars, by the ids of the cars; one that cannot be read has none. */
type CarNames = ReadonlyMap<string, string>;

const NO_CARS: CarNames = new Map();

async function namesOfCars(carIds: Iterable<string>, signal: AbortSignal): Promise<CarNames> {
  const names = new Map<string, string>();
  const read = async (carId: string): Promise<void> => {
    const { data } = await api.GET('/api/v1/cars/{carId}', { params: { path: { carId } }, signal });
    if (data !== undefined) names.set(carId, `${data.brandDisplayName} ${data.modelName}`);
  };
  await Promise.all(Array.from(carIds, read));
  return names;
}

function BestOfCars({ bests, cars }: { readonly bests: readonly DriverLap[]; readonly cars: CarNames }) {
  return (
    <section>
      <h3>{t(say.bestOfCars)}</h3>
      <dl class="bests">
        {bests.map(({ car, totalTime, number }) => (
          <div key={car}>
            <dt>
              <bdi>{cars.get(car)}</bdi>
            </dt>
            <dd class="numbers">
              {lapTime(totalTime)} <span class="quiet">{t(say.lapNumber, { number })}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface LapsProps {
  readonly laps: readonly DriverLap[];
  readonly row: Row;
  readonly cars: CarNames;
}

function Laps({ laps, row, cars }: LapsProps) {
  const most = Math.max(0, ...laps.map((lap) => lap.sectors.length));
  const sectors = most > MOST_SECTORS ? 0 : most;
  return (
    <table class="numbers">
      <caption class="hidden-but-read">{t(live.laps)}</caption>
      <thead>
        <tr>
          <th scope="col">{t(say.lap)}</th>
          <th scope="col">{t(say.time)}</th>
          {Array.from({ length: sectors }, (_, n) => (
            <th key={n} scope="col">
              {t(live.sector, { number: n + 1 })}
            </th>
          ))}
          <th scope="col">{t(live.car)}</th>
          <th scope="col">{t(say.drivenAt)}</th>
        </tr>
      </thead>
      <tbody>
        {laps.map((lap) => (
          <tr key={lap.id} class={lap.valid ? '' : 'invalid'}>
            <th scope="row">{lap.number}</th>
            <td>
              {lap.valid ? lapTime(lap.totalTime) : <s>{lapTime(lap.totalTime)}</s>}
              {lap.id === row.bestLap.lapId && (
                <span class="green sign" role="img" aria-label={t(live.ownBest)}>
                  ▲
                </span>
              )}
              {!lap.valid && <span class="tag"> {t(live.invalid)}</span>}
            </td>
            {Array.from({ length: sectors }, (_, n) => (
              <td key={n} class={lap.valid && lap.sectors[n] === row.bestSectors[n] ? 'green' : ''}>
                {lapTime(lap.sectors[n] ?? null)}
              </td>
            ))}
            <td class="car">
              <bdi>{cars.get(lap.car)}</bdi>
            </td>
            <td>
              <time dateTime={lap.drivenAt}>{showClock(lap.drivenAt)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
