import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LeftOut } from '../../../import/plan-files.ts';
import { fromLocal } from '../../shared/local-times.ts';
import { shownZone, t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { EventChoice, MIN_NAME_LETTERS, type ChosenEvent } from '../imports/event-choice.tsx';
import { Drivers } from '../imports/drivers.tsx';
import { Files, LeftOutFiles } from '../imports/files.tsx';
import { canReadFiles, ImportWorker } from '../imports/import-worker.ts';
import { Mappings } from '../imports/mappings.tsx';
import type { GivenAnswer, GivenFile, Preview, Report, SimulatorChoice } from '../imports/messages.ts';
import { PastImports } from '../imports/past.tsx';
import { Failed, Progress, type Step } from '../imports/progress.tsx';
import { Reported } from '../imports/report.tsx';
import { DropZone } from '../imports/drop-zone.tsx';
import { InstantInput } from '../parts/instant-input.tsx';
import { Button } from '../../shared/controls.tsx';
import { useUnsaved } from '../router.tsx';
import { keptKey } from '../session.ts';

export function ImportsPage() {
  return (
    <section class="imports">
      <h1>{t(say.title)}</h1>
      <p class="quiet">{t(say.meaning)}</p>
      {canReadFiles() ? <Importing /> : <p class="problem">{t(say.tooOld)}</p>}
    </section>
  );
}

/** A worker of its own for as long as the page is shown. */
function useWorker(): ImportWorker | null {
  const [worker, setWorker] = useState<ImportWorker | null>(null);
  useEffect(() => {
    const started = new ImportWorker(keptKey() ?? '');
    setWorker(started);
    return () => started.end();
  }, []);
  return worker;
}

function Importing() {
  const worker = useWorker();
  return worker === null ? null : <WithWorker worker={worker} />;
}

const NEW_EVENT: ChosenEvent = { eventId: '', name: t(say.importedResults) };

function WithWorker({ worker }: { readonly worker: ImportWorker }) {
  const [step, setStep] = useState<Step | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([]);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [simulators, setSimulators] = useState<readonly SimulatorChoice[]>([]);
  const [answers, setAnswers] = useState<readonly GivenAnswer[]>([]);
  const [event, setEvent] = useState(NEW_EVENT);
  const [drivenAt, setDrivenAt] = useState('');
  const [sent, setSent] = useState(0);
  const work = useCallback((first: Step, action: () => Promise<void>): void => {
    setStep(first);
    setFailure(null);
    action()
      .catch(setFailure)
      .finally(() => setStep(null));
  }, []);
  const prepare = async (chosen: readonly SimulatorChoice[], said: readonly GivenAnswer[]): Promise<void> => {
    setStep({ kind: 'comparing' });
    const { preview: prepared } = await worker.ask<'prepare'>({ kind: 'prepare', simulators: chosen, answers: said });
    setPreview(prepared);
  };
  const read = (files: readonly GivenFile[]): void =>
    work({ kind: 'reading', done: 0, of: files.length }, async () => {
      setPreview(null);
      setReport(null);
      setAnswers([]);
      setDrivenAt('');
      setLeftOut([]);
      const found = await worker.ask<'read'>({ kind: 'read', files }, (done, of) =>
        setStep({ kind: 'reading', done, of }),
      );
      setLeftOut(found.leftOut);
      await prepare(simulators, []);
    });
  const again = (): void => work({ kind: 'comparing' }, () => prepare(simulators, answers));
  const choose = (choice: SimulatorChoice): void => {
    const chosen = [...simulators.filter(([game]) => game !== choice[0]), choice];
    setSimulators(chosen);
    work({ kind: 'comparing' }, () => prepare(chosen, answers));
  };
  const answer = (said: GivenAnswer): void => {
    const all = [...answers.filter(({ key }) => key !== said.key), said];
    setAnswers(all);
    work({ kind: 'comparing' }, () => prepare(simulators, all));
  };
  const send = (): void =>
    work({ kind: 'sending', done: 0, of: 1 }, async () => {
      const { eventId, name } = event;
      const request = {
        kind: 'send',
        eventId: eventId === '' ? null : eventId,
        eventName: name,
        drivenAt: fromLocal(drivenAt, shownZone())?.instant ?? null,
      } as const;
      const { report: made } = await worker.ask<'send'>(request, (done, of) => setStep({ kind: 'sending', done, of }));
      setReport(made);
      setPreview(null);
      setSent((before) => before + 1);
    });
  const isBusy = step !== null;
  // Leaving ends the worker: what is not sent yet would have to be given again.
  useUnsaved(step?.kind === 'sending');
  return (
    <>
      <DropZone isBusy={isBusy} onFiles={read} />
      <Progress step={step} />
      <Failed error={failure} />
      <LeftOutFiles files={leftOut} />
      {preview !== null && preview.files.length === 0 && !isBusy && <p class="notice">{t(say.nothingFound)}</p>}
      {preview !== null && preview.files.length > 0 && (
        <>
          <Files files={preview.files} />
          <Mappings files={preview.files} isBusy={isBusy} onMapped={again} onSimulator={choose} />
          <Drivers drivers={preview.drivers} isBusy={isBusy} onAnswer={answer} />
          <Sending
            preview={preview}
            event={event}
            drivenAt={drivenAt}
            isBusy={isBusy}
            onEvent={setEvent}
            onDrivenAt={setDrivenAt}
            onSend={send}
          />
        </>
      )}
      {report !== null && <Reported report={report} />}
      <PastImports worker={worker} sent={sent} />
    </>
  );
}

interface SendingProps {
  readonly preview: Preview;
  readonly event: ChosenEvent;
  /** When the laps were driven, as the input has it; empty: when each file was last changed. */
  readonly drivenAt: string;
  readonly isBusy: boolean;
  readonly onEvent: (event: ChosenEvent) => void;
  readonly onDrivenAt: (drivenAt: string) => void;
  readonly onSend: () => void;
}

/** What is sent, to which event, and when it was driven. */
function Sending({ preview, event, drivenAt, isBusy, onEvent, onDrivenAt, onSend }: SendingProps) {
  const laps = preview.files.reduce((sum, file) => sum + file.laps, 0);
  const doubts = preview.drivers.filter(({ outcome }) => outcome === 'namesakes').length;
  if (laps === 0) return <p class="notice">{t(say.nothingToSend)}</p>;
  const moment = fromLocal(drivenAt, shownZone());
  const isInFuture = moment !== null && Date.parse(moment.instant) > Date.now();
  return (
    <section>
      <EventChoice event={event} onEvent={onEvent} />
      <div class="form-field mapping">
        <label for="import-driven-at">{t(say.drivenAt)}</label>
        <InstantInput
          id="import-driven-at"
          aria-invalid={isInFuture}
          aria-describedby="import-driven-at-hint"
          draft={drivenAt}
          onInput={onDrivenAt}
        />
        <p id="import-driven-at-hint" class="hint">
          {t(say.drivenAtHint)}
        </p>
        {isInFuture && <p class="notice">{t(say.drivenInFuture)}</p>}
      </div>
      {doubts > 0 && <p class="notice">{t(say.namesakesLeft, { count: doubts })}</p>}
      <Button
        label={t(say.send, { count: laps })}
        kind="primary"
        disabled={isBusy || doubts > 0 || isInFuture || event.name.trim().length < MIN_NAME_LETTERS}
        onClick={onSend}
      />
    </section>
  );
}
