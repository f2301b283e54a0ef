import { Select } from '../../shared/controls.tsx';
import type { Text } from '../../shared/language.ts';
import { showDay, t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import type { DriverAnswer, DriverPreview, Person } from './messages.ts';
import { SHOWN } from './short-list.ts';

const OUTCOMES: Readonly<Record<Exclude<DriverPreview['outcome'], 'namesakes'>, Text>> = {
  known: say.isKnown,
  'by-name': say.isByName,
  new: say.isNew,
};

/** The value of the choice of somebody new, which is no id. */
const SOMEBODY_NEW = 'new';

interface DriversProps {
  readonly drivers: readonly DriverPreview[];
  readonly answers: readonly DriverAnswer[];
  readonly isBusy: boolean;
  readonly onAnswer: (answer: DriverAnswer) => void;
}

/** Who the drivers of the files are; those with namesakes come first, and are asked about. */
export function Drivers({ drivers, answers, isBusy, onAnswer }: DriversProps) {
  if (drivers.length === 0) return null;
  const answered = new Set(answers.map(([key]) => key));
  const asked = drivers.filter(({ key, outcome }) => outcome === 'namesakes' && !answered.has(key));
  const others = drivers.filter((driver) => !asked.includes(driver));
  return (
    <section>
      <h2>{t(say.drivers)}</h2>
      {asked.map((driver) => (
        <Namesakes key={driver.key} driver={driver} isBusy={isBusy} onAnswer={onAnswer} />
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
                    <Match of={driver} />
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

interface NamesakesProps {
  readonly driver: DriverPreview;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: DriverAnswer) => void;
}

function Namesakes({ driver: { key, name, people }, isBusy, onAnswer }: NamesakesProps) {
  const id = `driver-${encodeURIComponent(key)}`;
  const options: readonly (readonly [string, string])[] = [
    ['', t(say.chooseOne)],
    ...people.map((person) => [person.id, personText(person)] as const),
    [SOMEBODY_NEW, t(say.somebodyNew)],
  ];
  const choose = (chosen: string): void => {
    if (chosen !== '' && !isBusy) onAnswer([key, chosen === SOMEBODY_NEW ? null : chosen]);
  };
  return (
    <div class="form-field mapping">
      <label for={id}>{t(say.whoIs, { name })}</label>
      <Select id={id} value="" options={options} onChange={choose} />
    </div>
  );
}

/** A person, told from others of the name. */
function personText({ name, email, createdAt }: Person): string {
  const who = email === '' ? name : `${name}, ${email}`;
  return t(say.personSince, { name: who, day: showDay(createdAt) });
}
