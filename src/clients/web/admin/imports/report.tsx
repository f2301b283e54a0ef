import { linkTo, t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { sentenceText } from '../api/words.ts';
import { LapCounts } from './lap-counts.tsx';
import type { FileReport, Report } from './messages.ts';
import { SHOWN, shortList } from './short-list.ts';

/** What an import has done. */
export function Reported({ report: { files, checkedIn, notRemembered } }: { readonly report: Report }) {
  return (
    <section class="said" role="status">
      <h2>{t(say.report)}</h2>
      <ul class="result-files">
        {files.slice(0, SHOWN).map((file) => (
          <li key={file.importId}>
            <FileReported of={file} />
          </li>
        ))}
      </ul>
      {files.length > SHOWN && <p>{t(say.andMore, { count: files.length - SHOWN })}</p>}
      <p>{t(say.checkedIn, { count: checkedIn })}</p>
      {notRemembered.length > 0 && <p>{t(say.notRemembered, { names: shortList(notRemembered) })}</p>}
    </section>
  );
}

function FileReported({ of }: { readonly of: FileReport }) {
  const { path, eventId, recorded, recordedBefore, waiting, refused } = of;
  return (
    <>
      <h3>{path}</h3>
      <LapCounts label={t(say.recorded)} laps={recorded} recordedBefore={recordedBefore} waiting={waiting} />
      {refused.slice(0, SHOWN).map(({ reason, laps }) => (
        <p key={reason} class="bad">
          {t(say.refused, { count: laps, reason: sentenceText(reason) ?? reason })}
        </p>
      ))}
      {eventId !== '' && <a href={linkTo(`/events/${eventId}`)}>{t(say.toBoard)}</a>}
    </>
  );
}
