import { t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { sentenceText } from '../api/words.ts';
import { Problem } from '../parts/answers.tsx';
import { WorkerFailed } from './import-worker.ts';

/** What is going on, and how far it is. */
export type Step =
  | { readonly kind: 'comparing' }
  | { readonly kind: 'reading' | 'sending' | 'undoing'; readonly done: number; readonly of: number };

const TEXTS = { reading: say.reading, sending: say.sendingLaps, undoing: say.undoing };

export function Progress({ step }: { readonly step: Step | null }) {
  if (step === null) return null;
  if (step.kind === 'comparing') return <p role="status">{t(say.comparing)}</p>;
  const { kind, done, of } = step;
  const text = t(TEXTS[kind], { done: kind === 'reading' ? Math.min(done + 1, of) : done, of });
  return (
    <p class="progress" role="status">
      <progress max={Math.max(of, 1)} value={done} aria-label={text} />
      {text}
    </p>
  );
}

/** Why the last step has failed, if it has. */
export function Failed({ error }: { readonly error: unknown }) {
  if (!(error instanceof WorkerFailed)) return <Problem error={error} />;
  const { status, message } = error.failure;
  const inEnglish = reasonIn(message);
  const reason = sentenceText(inEnglish) ?? inEnglish;
  return <Problem error={status === null ? t(say.stopped, { reason }) : t(say.refusedBy, { reason })} />;
}

/** What the service says, without the status and the path that a program wants. */
function reasonIn(message: string): string {
  const [, title = '', detail = ''] = /^(.*?) \(\d+ of [^)]*\): (.*)$/s.exec(message) ?? [];
  return detail || title || message;
}
