import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { useNow } from '../../shared/hooks.ts';
import { objectOf, textOf, textsOf } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import { duration, wholeSeconds } from '../../shared/times.ts';
import desk from '../../texts/desk.json' with { type: 'json' };
import { ifMatch, type Client } from '../api/client.ts';
import { Problem, useAction, useJson } from '../parts/answers.tsx';
import { Cancel, Dialog } from '../parts/dialog.tsx';
import { useSession } from '../session.ts';
import { RigPrograms } from './rig-programs.tsx';

const PAIRINGS = '/api/v1/rig-pairings';

/** How often, in ms, it is asked whether a code was used. */
const ASKED_EVERY_MS = 1_000;

/** A code, as it is offered. */
interface Offer {
  readonly id: string;
  readonly code: string;
  /** When it ends, by the clock of this browser, in epoch ms. */
  readonly endsAt: number;
}

interface PairRigProps {
  readonly eventId: string;
  /** A rig was paired, and belongs to the event. */
  readonly onPaired: (name: string) => void;
}

/** Makes a code that is typed at a rig, which then belongs to the venue and to the event. */
export function PairRig({ eventId, onPaired }: PairRigProps) {
  const { mayCall } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!mayCall('POST', PAIRINGS)) return null;
  const close = (): void => setOpen(false);
  return (
    <>
      <Button label={t(desk.addRig)} onClick={() => setOpen(true)} />
      {isOpen && (
        <PairDialog
          eventId={eventId}
          onClose={close}
          onPaired={(name) => {
            close();
            onPaired(name);
          }}
        />
      )}
    </>
  );
}

function PairDialog({ eventId, onClose, onPaired }: PairRigProps & { readonly onClose: () => void }) {
  const { client } = useSession();
  const { busy, failure, run } = useAction();
  const id = useId();
  const [name, setName] = useState('');
  const [offer, setOffer] = useState<Offer | null>(null);
  const makeCode = (): void => {
    run(async () => setOffer(await offerOf(client, name)));
  };
  return (
    <Dialog title={t(desk.addRig)} onClose={onClose}>
      <Problem error={failure} />
      {offer === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            makeCode();
          }}
        >
          <label for={id}>{t(desk.nameOfRig)}</label>
          <input
            id={id}
            class="field"
            required
            maxLength={120}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <p class="hint">{t(desk.nameOfRigHint)}</p>
          <div class="actions">
            <Cancel onCancel={onClose} />
            <Button label={t(desk.showCode)} type="submit" kind="primary" disabled={busy} />
          </div>
        </form>
      ) : (
        <ShownCode
          key={offer.id}
          offer={offer}
          onNewCode={makeCode}
          onClose={onClose}
          onRedeemed={(rigId) => {
            run(async () => {
              await addToEvent(client, eventId, rigId);
              onPaired(name);
            });
          }}
        />
      )}
    </Dialog>
  );
}

interface ShownCodeProps {
  readonly offer: Offer;
  readonly onNewCode: () => void;
  readonly onClose: () => void;
  readonly onRedeemed: (rigId: string) => void;
}

/** A code, and how it is used, until somebody has done so. */
function ShownCode({ offer, onNewCode, onClose, onRedeemed }: ShownCodeProps) {
  const { id, code, endsAt } = offer;
  const asked = useJson(`${PAIRINGS}/${id}`, ASKED_EVERY_MS);
  const now = useNow();
  const rigId = textOf(objectOf(asked.data)['rigId']);
  useEffect(() => {
    if (rigId !== '') onRedeemed(rigId);
    // Once: the same rig is not added again when the page is drawn again.
  }, [rigId]);
  const left = wholeSeconds(endsAt - now);
  if (left === 0) {
    return (
      <>
        <p role="status">{t(desk.codeIsOver)}</p>
        <div class="actions">
          <Cancel onCancel={onClose} />
          <Button label={t(desk.newCode)} kind="primary" onClick={onNewCode} />
        </div>
      </>
    );
  }
  return (
    <div class="pairing-code">
      <p>{t(desk.typeCode)}</p>
      <p class="code-letters">{grouped(code)}</p>
      <p role="timer">{t(desk.codeIsValidFor, { time: duration(left) })}</p>
      <RigPrograms code={code} />
      {asked.refused !== undefined && <Problem error={asked.refused} />}
      <div class="actions">
        <Cancel onCancel={onClose} />
      </div>
    </div>
  );
}

/** @throws {Refused | Unanswered} */
async function offerOf(client: Client, name: string): Promise<Offer> {
  const { json, answeredAt } = await client.send('POST', PAIRINGS, { body: { name } });
  const { id, code, expiresAt } = objectOf(json);
  const validFor = Date.parse(textOf(expiresAt)) - (answeredAt ?? Date.now());
  return { id: textOf(id), code: textOf(code), endsAt: Date.now() + validFor };
}

/**
 * Lets an event be driven on a rig. An event without rigs is driven on all of them.
 * @throws {Refused | Unanswered}
 */
async function addToEvent(client: Client, eventId: string, rigId: string): Promise<void> {
  const path = `/api/v1/events/${eventId}`;
  const { json, etag } = await client.get(path);
  const rigIds = textsOf(objectOf(json)['rigIds']);
  if (rigIds.length === 0 || rigIds.includes(rigId)) return;
  const answer = await client.send('PATCH', path, { body: { rigIds: [...rigIds, rigId] }, headers: ifMatch(etag) });
  await client.written(answer, etag);
}

/** A code in two groups, as people read it aloud. */
function grouped(code: string): string {
  const half = Math.ceil(code.length / 2);
  return `${code.slice(0, half)} ${code.slice(half)}`;
}
