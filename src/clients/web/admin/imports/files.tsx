import type { LeftOut } from '../../../import/plan-files.ts';
import type { SessionSummary } from '../../../import/session-summary.ts';
import type { Text } from '../../shared/language.ts';
import { language, t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { LapCounts } from './lap-counts.tsx';
import type { FilePreview } from './messages.ts';
import { noteIn } from './notes.ts';
import { shortList, SHOWN } from './short-list.ts';

export const KINDS: Readonly<Record<SessionSummary['session'], Text>> = {
  practice: say.practice,
  qualifying: say.qualifying,
  race: say.race,
  warmup: say.warmup,
  'time-trial': say.timeTrial,
  hotlap: say.hotlap,
  unknown: say.unknownSession,
};

/** The files that were left out, and why. */
export function LeftOutFiles({ files }: { readonly files: readonly LeftOut[] }) {
  if (files.length === 0) return null;
  return (
    <section class="problem" role="alert">
      <h2>{t(say.leftOut)}</h2>
      <ul>
        {files.slice(0, SHOWN).map((file, n) => (
          <li key={n}>
            <strong>{file.path}</strong>{' '}
            {file.why === 'unreadable'
              ? t(say.cannotBeRead, { reason: noteIn(language, file.reason) })
              : t(say.sameContent, { path: file.as })}
          </li>
        ))}
      </ul>
      {files.length > SHOWN && <p>{t(say.andMore, { count: files.length - SHOWN })}</p>}
    </section>
  );
}

/** What the files have, as it will be sent. */
export function Files({ files }: { readonly files: readonly FilePreview[] }) {
  return (
    <section>
      <h2>{t(say.files)}</h2>
      <ul class="result-files">
        {files.slice(0, SHOWN).map((file) => (
          <li key={file.importId}>
            <FileCard file={file} />
          </li>
        ))}
      </ul>
      {files.length > SHOWN && <p class="quiet">{t(say.andMore, { count: files.length - SHOWN })}</p>}
    </section>
  );
}

function FileCard({ file }: { readonly file: FilePreview }) {
  const { path, simulatorName, sessions, notes, laps, recordedBefore, waiting } = file;
  return (
    <>
      <h3>{path}</h3>
      {simulatorName !== '' && <p class="quiet">{simulatorName}</p>}
      <ul class="sessions">
        {sessions.slice(0, SHOWN).map((session, n) => (
          <li key={n}>
            <Session of={session} />
          </li>
        ))}
      </ul>
      <LapCounts label={t(say.toSend)} laps={laps} recordedBefore={recordedBefore} waiting={waiting} />
      {notes.length > 0 && (
        <details open={notes.length <= 3}>
          <summary>{t(say.odd)}</summary>
          <ul class="notes">
            {notes.slice(0, SHOWN).map((note) => (
              <li key={note}>{noteIn(language, note)}</li>
            ))}
          </ul>
          {notes.length > SHOWN && <p>{t(say.andMore, { count: notes.length - SHOWN })}</p>}
        </details>
      )}
    </>
  );
}

function Session({ of }: { readonly of: SessionSummary }) {
  const { session, name, track, layout, laps, drivers, cars } = of;
  const kind = t(KINDS[session]);
  const called = name === null || name.toLowerCase() === kind.toLowerCase() ? kind : `${kind} (${name})`;
  const where = [track, layout].filter((part) => part !== null).join('/') || t(say.unknownTrack);
  return (
    <>
      <strong>{t(say.sessionAt, { session: called, track: where })}</strong>{' '}
      <span class="quiet">{t(say.lapsOf, { count: laps })}</span>
      {drivers.length > 0 && <p>{t(say.driversAre, { names: shortList(drivers) })}</p>}
      {cars.length > 0 && <p class="quiet">{t(say.carsAre, { names: shortList(cars) })}</p>}
    </>
  );
}
