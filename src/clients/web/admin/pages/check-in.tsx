import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { Button, TextInput } from '../../shared/controls.tsx';
import { textOf } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import desk from '../../texts/desk.json' with { type: 'json' };
import { newRequestKey } from '../api/client.ts';
import type { Option } from '../api/choices.ts';
import { Desk, useAsksForEmail } from '../desk/event.tsx';
import { useFloor } from '../desk/floor.ts';
import { calledName, firstNameFirst, isNamed, namePartsOf } from '../desk/name-parts.ts';
import { Outbox, type Arrival, type Newcomer, type Regular, type Unconfirmed } from '../desk/outbox.ts';
import { PersonSearch } from '../desk/person-search.tsx';
import { appended, changeQueue } from '../desk/queue-changes.ts';
import { QueuePanel } from '../desk/queue-panel.tsx';
import { Loading, messageOf } from '../parts/answers.tsx';
import { useUnsaved } from '../router.tsx';
import { useSession } from '../session.ts';

/** The front desk: people are checked in, one line each, and wait for a seat. */
export function CheckInPage({ query }: { readonly query: URLSearchParams }) {
  return (
    <Desk page="check-in" title={t(desk.checkIn)} query={query}>
      {(event) => <CheckIn key={textOf(event['id'])} eventId={textOf(event['id'])} />}
    </Desk>
  );
}

function CheckIn({ eventId }: { readonly eventId: string }) {
  const floor = useFloor(eventId);
  const asksForEmail = useAsksForEmail(eventId);
  const { outbox, unconfirmed, said } = useOutbox(eventId, asksForEmail);
  const [newcomer, setNewcomer] = useState<string | null>(null);
  const add = (name: string, who: Arrival['who']): void => outbox.add({ key: newRequestKey(), name, who });
  const addNew = (name: string): void => {
    if (asksForEmail) setNewcomer(name);
    else add(name, { email: '' });
  };
  return (
    <div class="desk-columns">
      <div class="arrivals">
        {newcomer === null ? (
          <PersonSearch
            id="arrival"
            label={t(desk.whoIsHere)}
            hint={t(desk.whoIsHereHint)}
            onPerson={({ id, name }: Option) => add(name, { participantId: id })}
            onNew={addNew}
            onTyped={(name) => add(name, 'unknown')}
          />
        ) : (
          <EmailOf
            name={newcomer}
            onEmail={(email) => {
              add(newcomer, { email });
              setNewcomer(null);
            }}
            onCancel={() => setNewcomer(null)}
          />
        )}
        <p role="status" class="said">
          {said}
        </p>
        <OnTheWay unconfirmed={unconfirmed} outbox={outbox} onNew={addNew} />
      </div>
      <div>
        <Loading of={floor} />
        <QueuePanel eventId={eventId} queue={floor.data?.queue ?? []} />
      </div>
    </div>
  );
}

/** How long, in ms, to wait before an arrival without an answer is sent again. */
const RETRY_MS = 2_000;

/** Thrown where it is not sure who somebody is: people say so. */
class Doubt extends Error {
  readonly namesakes: readonly Option[];

  constructor(namesakes: readonly Option[]) {
    super(t(namesakes.length === 0 ? desk.isNew : desk.whoIsIt));
    this.namesakes = namesakes;
  }
}

/** Most people who are offered where it is not sure who somebody is. */
const NAMESAKES = 5;

/** Sends arrivals, and keeps what is said of the last one who arrived. */
function useOutbox(eventId: string, asksForEmail: boolean) {
  const { client, names, resource } = useSession();
  const [unconfirmed, setUnconfirmed] = useState<readonly Unconfirmed[]>([]);
  const [said, say] = useState('');
  const count = useRef(0);
  const isEmailNeeded = useRef(asksForEmail);
  isEmailNeeded.current = asksForEmail;
  const outbox = useMemo(() => {
    const participants = resource('Participant');
    /** Who somebody is of whom only the name is known. @throws {Doubt} */
    const identified = async (typed: string): Promise<Newcomer | Regular> => {
      if (participants === null) return { email: '' };
      const { name } = calledName(typed);
      const { options } = await names.find(participants, firstNameFirst(name), new AbortController().signal);
      const [exact, ...others] = options.filter(({ ownName }) => isNamed(ownName, name));
      if (options.length === 0 && !isEmailNeeded.current) return { email: '' };
      if (exact !== undefined && others.length === 0) return { participantId: exact.id };
      throw new Doubt(options.slice(0, NAMESAKES));
    };
    const send = async ({ key, name, who }: Arrival): Promise<void> => {
      const person = who === 'unknown' ? await identified(name) : who;
      if ('email' in person) {
        const { name: whole, nickname } = calledName(name);
        const { firstName, lastName } = namePartsOf(whole);
        const email = person.email === '' ? undefined : person.email;
        const body = { firstName, lastName, nickname, email, eventId };
        await client.send('POST', '/api/v1/check-ins', { body, headers: { 'Idempotency-Key': key } });
        names.forget();
      } else {
        const { isChanged } = await changeQueue(client, eventId, appended(person.participantId));
        if (!isChanged) {
          say(t(desk.waitsAlready, { name }));
          return;
        }
      }
      count.current += 1;
      say(t(desk.isCheckedIn, { name, count: count.current }));
    };
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return new Outbox({ send, pause, onChange: setUnconfirmed });
  }, [client, names, resource, eventId]);
  useEffect(() => () => outbox.stop(), [outbox]);
  useUnsaved(unconfirmed.length > 0);
  return { outbox, unconfirmed, said };
}

interface EmailProps {
  readonly name: string;
  readonly onEmail: (email: string) => void;
  readonly onCancel: () => void;
}

/** Asks for the e-mail address of somebody new, in the place of the search. */
function EmailOf({ name, onEmail, onCancel }: EmailProps) {
  const id = useId();
  const input = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  useEffect(() => input.current?.querySelector('input')?.focus(), []);
  return (
    <form
      ref={input}
      class="form-field"
      onSubmit={(event) => {
        event.preventDefault();
        onEmail(email.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <label for={id}>{t(desk.emailOf, { name })}</label>
      <TextInput id={id} type="email" required maxLength={255} value={email} onText={setEmail} />
      <div class="actions">
        <Button type="submit" kind="primary" label={t(desk.checkInOne)} />
        <Button label={t(desk.somebodyElse)} onClick={onCancel} />
      </div>
    </form>
  );
}

interface OnTheWayProps {
  readonly unconfirmed: readonly Unconfirmed[];
  readonly outbox: Outbox;
  readonly onNew: (name: string) => void;
}

/** Who is on the way to the service; whoever was refused can be sent again, or left out. */
function OnTheWay({ unconfirmed, outbox, onNew }: OnTheWayProps) {
  if (unconfirmed.length === 0) return null;
  return (
    <ul class="on-the-way" aria-label={t(desk.onTheWay)}>
      {unconfirmed.map(({ arrival: { key, name }, state, problem }) => (
        <li key={key}>
          <bdi class="name">{name}</bdi>
          {state === 'sending' && <span class="quiet">{t(desk.sending)}</span>}
          {state === 'unanswered' && <span role="alert">{t(desk.unanswered)}</span>}
          {state === 'refused' && (
            <>
              <span role="alert" class={problem instanceof Doubt ? '' : 'bad'}>
                {messageOf(problem)}
              </span>
              {problem instanceof Doubt ? (
                <>
                  {problem.namesakes.map((one) => (
                    <Button
                      key={one.id}
                      label={one.name}
                      onClick={() => outbox.identify(key, { participantId: one.id })}
                    />
                  ))}
                  <Button
                    label={t(desk.addAsNew)}
                    onClick={() => {
                      outbox.discard(key);
                      onNew(name);
                    }}
                  />
                </>
              ) : (
                <Button label={t(desk.sendAgain)} onClick={() => outbox.retry(key)} />
              )}
              <Button label={t(desk.leaveOut)} onClick={() => outbox.discard(key)} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
