import { useState } from 'preact/hooks';
import { Button, Select } from '../../shared/controls.tsx';
import type { Text } from '../../shared/language.ts';
import { showDay, t } from '../../shared/page.ts';
import admin from '../../texts/admin.json' with { type: 'json' };
import say from '../../texts/imports.json' with { type: 'json' };
import { Picker } from '../parts/picker.tsx';
import type { DriverPreview, GivenAnswer, Person } from './messages.ts';
import { SHOWN } from './short-list.ts';

const OUTCOMES: Readonly<Record<Exclude<DriverPreview['outcome'], 'namesakes'>, Text>> = {
  known: say.isKnown,
  'by-name': say.isByName,
  chosen: say.isChosen,
  new: say.isNew,
};

/** The value of the choice of somebody new, which is no id. */
const SOMEBODY_NEW = 'new';

interface DriversProps {
  readonly drivers: readonly DriverPreview[];
  readonly isBusy: boolean;
  readonly onAnswer: (answer: GivenAnswer) => void;
}

/** Who the drivers of the files are; those with namesakes come first, and are asked about. The others can be corrected. */
export function Drivers({ drivers, isBusy, onAnswer }: DriversProps) {
  const [corrected, setCorrected] = useState('');
  if (drivers.length === 0) return null;
  const asked = drivers.filter(({ outcome }) => outcome === 'namesakes');
  const others = drivers.filter((driver) => !asked.includes(driver));
  return (
    <section>
      <h2>{t(say.drivers)}</h2>
      {asked.map((driver) => (
        <Namesakes key={driver.key} driver={driver} isBusy={isBusy} onAnswer={onAnswer} />
      ))}
      {others
        .filter(({ key }) => key === corrected)
        .map((driver) => (
          <Correction
            key={driver.key}
            driver={driver}
            isBusy={isBusy}
            onAnswer={(answer) => {
              setCorrected('');
              onAnswer(answer);
            }}
          />
        ))}
      {others.length > 0 && (
        <div class="table-box">
          <table>
            <thead>
              <tr>
                <th scope="col">{t(say.inFile)}</th>
                <th scope="col">{t(say.here)}</th>
              </tr>
            </thead>
            <tbody>
              {others.slice(0, SHOWN).map((driver) => (
                <tr key={driver.key}>
                  <th scope="row">{driver.name}</th>
                  <td>
                    <div class="row-actions match">
                      <span>
                        <Match of={driver} />
                      </span>
                      <Button
                        label={t(driver.key === corrected ? admin.cancel : say.correctMatch)}
                        aria-expanded={driver.key === corrected}
                        disabled={isBusy}
                        onClick={() => setCorrected(driver.key === corrected ? '' : driver.key)}
                      />
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {others.length > SHOWN && <p class="quiet">{t(say.andMore, { count: others.length - SHOWN })}</p>}
    </section>
  );
}

function Match({ of: { outcome, people } }: { readonly of: DriverPreview }) {
  if (outcome === 'namesakes') return null;
  const [person] = people;
  const said = t(OUTCOMES[outcome]);
  if (person === undefined) return <span class="quiet">{said}</span>;
  return (
    <>
      {person.name} <span class="quiet">({said})</span>
    </>
  );
}

interface AnswerProps {
  readonly driver: DriverPreview;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: GivenAnswer) => void;
}

function Namesakes({ driver, isBusy, onAnswer }: AnswerProps) {
  const { key, name, people, insteadOf } = driver;
  const id = `driver-${encodeURIComponent(key)}`;
  const options: readonly (readonly [string, string])[] = [
    ['', t(say.chooseOne)],
    ...people.map((person) => [person.id, personText(person)] as const),
    [SOMEBODY_NEW, t(say.somebodyNew)],
  ];
  const choose = (chosen: string): void => {
    if (chosen === '' || isBusy) return;
    onAnswer({ key, participantId: chosen === SOMEBODY_NEW ? null : chosen, insteadOf });
  };
  return (
    <div class="form-field mapping">
      <label for={id}>{t(say.whoIs, { name })}</label>
      <Select id={id} value="" options={options} onChange={choose} />
    </div>
  );
}

/** Says that a driver is somebody else than it seems. */
function Correction({ driver: { key, name, outcome, insteadOf }, isBusy, onAnswer }: AnswerProps) {
  const id = `correct-${encodeURIComponent(key)}`;
  return (
    <div class="form-field mapping">
      <label for={id}>{t(say.whoIs, { name })}</label>
      <div class="mapping-choice">
        <Picker
          id={id}
          refersTo="Participant"
          chosen={[]}
          many={false}
          onChange={([participantId = '']) => {
            if (participantId !== '' && !isBusy) onAnswer({ key, participantId, insteadOf });
          }}
        />
        {outcome !== 'new' && (
          <Button
            label={t(say.somebodyNew)}
            disabled={isBusy}
            onClick={() => onAnswer({ key, participantId: null, insteadOf })}
          />
        )}
      </div>
    </div>
  );
}

/** A person, told from others of the name. */
function personText({ name, email, createdAt }: Person): string {
  const who = email === '' ? name : `${name}, ${email}`;
  return t(say.personSince, { name: who, day: showDay(createdAt) });
}
