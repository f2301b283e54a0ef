import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { Problem, useAction } from '../parts/answers.tsx';
import { Picker } from '../parts/picker.tsx';
import { useSession } from '../session.ts';
import type { FilePreview, SimulatorChoice, Unmapped } from './messages.ts';
import { SHOWN } from './short-list.ts';

/** What the games are called. */
const GAMES: Readonly<Record<FilePreview['game'], string>> = {
  acc: 'Assetto Corsa Competizione',
  ac: 'Assetto Corsa',
  'ac-evo': 'Assetto Corsa EVO',
  rfactor: 'rFactor 2, Le Mans Ultimate',
  raceroom: 'RaceRoom',
  ams2: 'Automobilista 2, Project CARS 2',
  iracing: 'iRacing',
};

/** Something that a game calls in its own way, in all files. */
interface Lacking {
  readonly what: 'car' | 'layout';
  readonly identifier: string;
  readonly simulatorId: string;
  readonly simulatorName: string;
  readonly laps: number;
}

interface MappingsProps {
  readonly files: readonly FilePreview[];
  readonly isBusy: boolean;
  readonly onMapped: () => void;
  readonly onSimulator: (choice: SimulatorChoice) => void;
}

/** Cars and layouts that have to be chosen before their laps can be sent. */
export function Mappings({ files, isBusy, onMapped, onSimulator }: MappingsProps) {
  const games = new Set(files.filter(isWithoutSimulator).map(({ game }) => game));
  const lacking = lackingIn(files);
  const unnamedCars = unnamedIn(files.map(({ unmappedCars }) => unmappedCars));
  const unnamedLayouts = unnamedIn(files.map(({ unmappedLayouts }) => unmappedLayouts));
  if (games.size === 0 && lacking.length === 0 && unnamedCars + unnamedLayouts === 0) return null;
  return (
    <section>
      <h2>{t(say.notMapped)}</h2>
      {lacking.length > 0 && <p class="quiet">{t(say.notMappedHint)}</p>}
      {[...games].map((game) => (
        <div key={game} class="form-field mapping">
          <label for={`simulator-${game}`}>{t(say.simulatorOf, { game: GAMES[game] })}</label>
          <p class="hint">{t(say.simulatorHint)}</p>
          <Picker
            id={`simulator-${game}`}
            refersTo="Simulator"
            chosen={[]}
            many={false}
            adds
            onChange={([id = '']) => {
              if (id !== '') onSimulator([game, id]);
            }}
          />
        </div>
      ))}
      {lacking.slice(0, SHOWN).map((one) => (
        <Mapping
          key={`${one.what} ${one.simulatorId} ${one.identifier}`}
          of={one}
          isBusy={isBusy}
          onMapped={onMapped}
        />
      ))}
      {lacking.length > SHOWN && <p class="quiet">{t(say.andMore, { count: lacking.length - SHOWN })}</p>}
      {unnamedCars > 0 && <p class="notice">{t(say.unnamedCar, { count: unnamedCars })}</p>}
      {unnamedLayouts > 0 && <p class="notice">{t(say.unnamedLayout, { count: unnamedLayouts })}</p>}
    </section>
  );
}

interface MappingProps {
  readonly of: Lacking;
  readonly isBusy: boolean;
  readonly onMapped: () => void;
}

function Mapping({ of, isBusy, onMapped }: MappingProps) {
  const { what, identifier, simulatorId, simulatorName, laps } = of;
  const { client } = useSession();
  const { busy, failure, run } = useAction();
  const [chosen, setChosen] = useState('');
  const id = `${what}-${simulatorId}-${encodeURIComponent(identifier)}`;
  const save = (): void =>
    run(async () => {
      const path = `/api/v1/simulators/${simulatorId}/${what === 'car' ? 'cars' : 'layouts'}`;
      const body =
        what === 'car'
          ? { carId: chosen, simulatorIdentifier: identifier }
          : { trackLayoutId: chosen, simulatorIdentifier: identifier };
      await client.written(await client.send('POST', path, { body }));
      onMapped();
    });
  return (
    <div class="form-field mapping">
      <label for={id}>{t(what === 'car' ? say.carOf : say.layoutOf, { identifier, simulator: simulatorName })}</label>
      <p class="hint">{t(say.lapsWait, { count: laps })}</p>
      <div class="mapping-choice">
        <Picker
          id={id}
          refersTo={what === 'car' ? 'Car' : 'TrackLayout'}
          chosen={[chosen].filter(Boolean)}
          many={false}
          adds
          onChange={([one = '']) => setChosen(one)}
        />
        <Button label={t(say.isThis)} disabled={chosen === '' || busy || isBusy} onClick={save} />
      </div>
      <Problem error={failure} />
    </div>
  );
}

function isWithoutSimulator({ simulatorId, timedLaps }: FilePreview): boolean {
  return simulatorId === '' && timedLaps > 0;
}

/** What the files call in their own way, each once, with the laps of all files. */
function lackingIn(files: readonly FilePreview[]): readonly Lacking[] {
  const found = new Map<string, Lacking>();
  const add = (file: FilePreview, what: Lacking['what'], [identifier, laps]: Unmapped): void => {
    if (identifier === null || file.simulatorId === '') return;
    const { simulatorId, simulatorName } = file;
    const key = `${what} ${simulatorId} ${identifier}`;
    const before = found.get(key)?.laps ?? 0;
    found.set(key, { what, identifier, simulatorId, simulatorName, laps: before + laps });
  };
  for (const file of files) {
    for (const one of file.unmappedLayouts) add(file, 'layout', one);
    for (const one of file.unmappedCars) add(file, 'car', one);
  }
  return [...found.values()];
}

function unnamedIn(all: readonly (readonly Unmapped[])[]): number {
  return all
    .flat()
    .filter(([identifier]) => identifier === null)
    .reduce((sum, [, laps]) => sum + laps, 0);
}
