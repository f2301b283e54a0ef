import { useCallback, useState } from 'preact/hooks';
import { Button, Select } from '../../shared/controls.tsx';
import { api } from '../../shared/api.ts';
import { useRetried } from '../../shared/hooks.ts';
import { linkTo, publicAddress, t } from '../../shared/page.ts';
import live from '../../texts/live.json' with { type: 'json' };
import say from '../../texts/overlay.json' with { type: 'json' };
import { layoutName, tracksOf } from '../../live/layout-names.ts';
import {
  COLUMNS,
  DEFAULT_OPTIONS,
  LEAST_SCALE,
  LOOKS,
  MOST_ROWS,
  MOST_SCALE,
  parametersOf,
  type Column,
  type OverlayOptions,
} from '../../overlay/options.ts';
import { OverlayPreview } from '../overlay/preview.tsx';
import { Copied } from '../parts/dialog.tsx';
import { Picker } from '../parts/picker.tsx';
import { addressOf, go } from '../router.tsx';

/** Most drivers around whom rows can be shown. */
const MOST_DRIVERS = 500;

/** Most seconds of delay (docs/interface.md#live). */
const MOST_DELAY = 3_600;

const COLUMN_NAMES: { readonly [C in Column]: string } = {
  position: t(say.position),
  name: t(say.name),
  code: t(say.code),
  class: t(say.classBadge),
  car: t(live.car),
  gap: t(say.gap),
  interval: t(say.interval),
  best: t(live.best),
  lap: t(say.lap),
  last: t(live.last),
  sectors: t(live.sectors),
};

type Change = (changed: Partial<OverlayOptions>) => void;

/** Makes the address of an overlay, beside what it looks like. */
export function OverlayPage({ query }: { readonly query: URLSearchParams }) {
  const eventId = query.get('eventId') ?? '';
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const change: Change = (changed) => setOptions((before) => ({ ...before, ...changed }));
  const chooseEvent = (chosen: string): void => {
    // The layouts, classes and drivers are those of another event.
    change({ layout: null, carClass: null, driver: null });
    go(addressOf('/overlay', { eventId: chosen }));
  };
  return (
    <section class="overlay-builder">
      <header class="page-head">
        <h1>{t(say.builder)}</h1>
      </header>
      <p class="quiet">{t(say.meaning)}</p>
      <div class="form-field">
        <label for="overlay-event">{t(say.event)}</label>
        <Picker
          id="overlay-event"
          refersTo="Event"
          chosen={[eventId].filter(Boolean)}
          many={false}
          onChange={([one = '']) => chooseEvent(one)}
        />
      </div>
      {eventId === '' ? <p>{t(say.chooseEvent)}</p> : <Builder key={eventId} {...{ eventId, options, change }} />}
    </section>
  );
}

interface BuilderProps {
  readonly eventId: string;
  readonly options: OverlayOptions;
  readonly change: Change;
}

function Builder({ eventId, options, change }: BuilderProps) {
  const parameters = parametersOf(options).toString();
  const path = `/overlay/${eventId}${parameters === '' ? '' : `?${parameters}`}`;
  return (
    <>
      <OptionFields {...{ eventId, options, change }} />
      <Copied text={publicAddress(path)} label={t(say.address)} />
      <p>{t(say.steps)}</p>
      <p>
        <a
          href={linkTo(`/overlay/${eventId}`, Object.fromEntries(parametersOf(options)))}
          target="_blank"
          rel="noopener"
        >
          {t(say.open)}
        </a>
      </p>
      <OverlayPreview path={path} title={t(say.preview)} />
    </>
  );
}

function OptionFields({ eventId, options, change }: BuilderProps) {
  const { layouts, classes, drivers } = useChoicesOf(eventId);
  const chosen = (value: string): string | null => (value === '' ? null : value);
  return (
    <form class="overlay-options" aria-label={t(say.options)} onSubmit={(event) => event.preventDefault()}>
      <ColumnFields columns={options.columns} onChange={(columns) => change({ columns })} />
      <div class="numbers-and-choices">
        <NumberField
          label={t(say.rows)}
          value={options.rows}
          from={1}
          to={MOST_ROWS}
          step={1}
          onChange={(rows) => change({ rows })}
        />
        <NumberField
          label={t(say.size)}
          value={options.scale}
          from={LEAST_SCALE}
          to={MOST_SCALE}
          step={0.25}
          onChange={(scale) => change({ scale })}
        />
        <NumberField
          label={t(say.delay)}
          value={options.delay}
          from={0}
          to={MOST_DELAY}
          step={1}
          onChange={(delay) => change({ delay })}
        />
        <label>
          {t(say.look)}
          <Select
            value={options.look}
            options={LOOKS.map((look) => [look, t(say[look])] as const)}
            onChange={(look) => change({ look })}
          />
        </label>
        <label>
          {t(say.layout)}
          <Select
            value={options.layout ?? ''}
            options={[['', t(say.firstLayout)], ...layouts]}
            onChange={(layout) => change({ layout: chosen(layout) })}
          />
        </label>
        <label>
          {t(say.carClass)}
          <Select
            value={options.carClass ?? ''}
            options={[['', t(say.allClasses)], ...classes]}
            onChange={(carClass) => change({ carClass: chosen(carClass) })}
          />
        </label>
        <label>
          {t(say.driver)}
          <Select
            value={options.driver ?? ''}
            options={[['', t(say.nobody)], ...drivers]}
            onChange={(driver) => change({ driver: chosen(driver) })}
          />
        </label>
      </div>
      <div class="switches">
        <Switch label={t(say.header)} isOn={options.header} onChange={(header) => change({ header })} />
        <Switch label={t(say.pages)} isOn={options.pages} onChange={(pages) => change({ pages })} />
        <Switch label={t(say.lowerThird)} isOn={options.lowerThird} onChange={(lowerThird) => change({ lowerThird })} />
      </div>
    </form>
  );
}

interface ColumnFieldsProps {
  /** Left to right. */
  readonly columns: readonly Column[];
  readonly onChange: (columns: readonly Column[]) => void;
}

/** The columns, the chosen ones first and in their order; one stays at least. */
function ColumnFields({ columns, onChange }: ColumnFieldsProps) {
  const others = COLUMNS.filter((column) => !columns.includes(column));
  const moveLeft = (column: Column): void => {
    const at = columns.indexOf(column);
    const moved = columns.filter((other) => other !== column);
    onChange([...moved.slice(0, at - 1), column, ...moved.slice(at - 1)]);
  };
  return (
    <fieldset>
      <legend>{t(say.columns)}</legend>
      {[...columns, ...others].map((column, index) => {
        const isChosen = index < columns.length;
        return (
          <div key={column} class="column-choice">
            <label>
              <input
                type="checkbox"
                checked={isChosen}
                disabled={isChosen && columns.length === 1}
                onChange={() => onChange(isChosen ? columns.filter((other) => other !== column) : [...columns, column])}
              />
              {COLUMN_NAMES[column]}
            </label>
            {isChosen && index > 0 && (
              <Button
                label="←"
                aria-label={t(say.moveUp, { column: COLUMN_NAMES[column] })}
                onClick={() => moveLeft(column)}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

/** A number within bounds; what is no such number is ignored until it is one. */
function NumberField({ label, value, from, to, step, onChange }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        class="field"
        type="number"
        min={from}
        max={to}
        step={step}
        value={value}
        onInput={({ currentTarget }) => {
          if (currentTarget.validity.valid && currentTarget.value !== '') onChange(currentTarget.valueAsNumber);
        }}
      />
    </label>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}

type Choice = readonly [id: string, name: string];

const NO_CHOICES: Readonly<Record<'layouts' | 'classes' | 'drivers', readonly Choice[]>> = {
  layouts: [],
  classes: [],
  drivers: [],
};

/** The layouts, classes and drivers of an event; none until they are read. */
function useChoicesOf(eventId: string): typeof NO_CHOICES {
  const read = useCallback((signal: AbortSignal) => choicesOf(eventId, signal), [eventId]);
  return useRetried(read).data ?? NO_CHOICES;
}

async function choicesOf(eventId: string, signal: AbortSignal): Promise<typeof NO_CHOICES> {
  const path = { eventId };
  const [board, classes] = await Promise.all([
    api.GET('/api/v1/events/{eventId}/leaderboard', { params: { path, query: { size: MOST_DRIVERS } }, signal }),
    api.GET('/api/v1/car-classes/paged', { params: { query: { size: MOST_DRIVERS } }, signal }),
  ]);
  // An event that is not public has no board yet.
  if (board.data === undefined || classes.data === undefined) return NO_CHOICES;
  const { leaderboard: head, content } = board.data;
  const tracks = await tracksOf(
    head.layouts.map(({ trackLayoutId }) => trackLayoutId),
    signal,
  );
  const drivers = content.map(({ participantId, participantName }): Choice => [participantId, participantName]);
  return {
    layouts: head.layouts.map(({ trackLayoutId: id, trackDisplayName: name }): Choice => {
      return [id, layoutName(name, tracks.get(id) ?? '')];
    }),
    classes: classes.data.content.map(({ id, displayName }): Choice => [id, displayName]),
    drivers: drivers.sort(([, a], [, b]) => a.localeCompare(b)),
  };
}
