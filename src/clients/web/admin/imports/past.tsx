import { useCallback, useState } from 'preact/hooks';
import type { PastImport } from '../../../import/past-imports.ts';
import { Button } from '../../shared/controls.tsx';
import { linkTo, showInstant, t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { Loading, useLoaded } from '../parts/answers.tsx';
import { Confirmed } from '../parts/dialog.tsx';
import type { ImportWorker } from './import-worker.ts';
import { Failed, Progress, type Step } from './progress.tsx';

/** How many pages of laps are looked through at a time. */
const PAGES = 10;

interface PastImportsProps {
  readonly worker: ImportWorker;
  /** How often laps were sent: the list is read again after each time. */
  readonly sent: number;
}

/** The imports whose laps the service has, the newest first; each can be taken back. */
export function PastImports({ worker, sent }: PastImportsProps) {
  const [pages, setPages] = useState(PAGES);
  const [undone, setUndone] = useState<number | null>(null);
  const [undos, setUndos] = useState(0);
  const [step, setStep] = useState<Step | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const read = useCallback(
    async () => (await worker.ask<'past'>({ kind: 'past', pages })).past,
    [worker, pages, sent, undos],
  );
  const loaded = useLoaded(read);
  const undo = async (importId: string): Promise<void> => {
    setUndone(null);
    setFailure(null);
    setStep({ kind: 'undoing', done: 0, of: 0 });
    try {
      const { struck } = await worker.ask<'undo'>({ kind: 'undo', importId }, (done, of) =>
        setStep({ kind: 'undoing', done, of }),
      );
      setUndone(struck);
      setUndos((before) => before + 1);
    } catch (error) {
      setFailure(error);
    } finally {
      setStep(null);
    }
  };
  const { imports, hasMore } = loaded.data ?? { imports: [], hasMore: false };
  return (
    <section>
      <h2>{t(say.past)}</h2>
      <Progress step={step} />
      <Failed error={failure} />
      <p class="said" role="status">
        {undone === null ? '' : t(say.undone, { count: undone })}
      </p>
      <Loading of={loaded} />
      {loaded.data !== undefined && imports.length === 0 && <p class="empty">{t(say.noPast)}</p>}
      {imports.length > 0 && (
        <div class="table-box">
          <table>
            <thead>
              <tr>
                <th scope="col">{t(say.importedAt)}</th>
                <th scope="col">{t(say.eventColumn)}</th>
                <th scope="col">{t(say.laps)}</th>
                <th scope="col">{t(say.importId)}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {imports.map((one, n) => (
                <Row
                  key={one.importId}
                  of={one}
                  isPart={hasMore && n === imports.length - 1}
                  isBusy={step !== null}
                  onUndo={undo}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && <Button label={t(say.older)} onClick={() => setPages((before) => before + PAGES)} />}
    </section>
  );
}

interface RowProps {
  readonly of: PastImport;
  /** Whether more of its laps may be on a page that was not read. */
  readonly isPart: boolean;
  readonly isBusy: boolean;
  readonly onUndo: (importId: string) => Promise<void>;
}

function Row({ of, isPart, isBusy, onUndo }: RowProps) {
  const { importId, recordedAt, eventId, eventName, laps, counting } = of;
  const isUndone = counting === 0 && !isPart;
  return (
    <tr>
      <th scope="row">{showInstant(recordedAt)}</th>
      <td>
        <a href={linkTo(`/events/${eventId}`)}>{eventName}</a>
      </td>
      <td>{t(isPart ? say.countingOfMore : say.countingOf, { counting, laps })}</td>
      <td>
        <code>{importId}</code>
      </td>
      <td>
        {isUndone && <span class="quiet">{t(say.isUndone)}</span>}
        {!isUndone && !isBusy && (
          <Confirmed
            label={t(say.undo)}
            onConfirm={() => {
              // It goes on after the dialog has closed, where it shows how far it is.
              void onUndo(importId);
              return Promise.resolve();
            }}
          >
            <p>{t(say.undoQuestion)}</p>
          </Confirmed>
        )}
      </td>
    </tr>
  );
}
