import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { lapName } from '../api/laps.ts';
import { useSession } from '../session.ts';
import { messageOf } from './answers.tsx';
import { Dialog } from './dialog.tsx';
import { judge, Reasons } from './verdict.tsx';

/** A lap that could not be struck, and why. */
interface Failure {
  readonly lap: JsonObject;
  readonly why: string;
}

/** How far a strike of many laps has come. */
interface Progress {
  readonly of: number;
  readonly done: number;
  readonly failures: readonly Failure[];
}

interface StrikeManyProps {
  /** The chosen laps. */
  readonly laps: readonly JsonObject[];
  /** Called for each lap that is struck. */
  readonly onStruck: (id: string) => void;
  /** Called when all of them were tried. */
  readonly onDone: () => void;
}

/**
 * A button that strikes all chosen laps for one reason: one after the other, each by a change of its own. It shows how far
 * it is, and which laps could not be struck and why; these stay chosen.
 */
export function StrikeMany({ laps, onStruck, onDone }: StrikeManyProps) {
  const { client } = useSession();
  const [asked, ask] = useState<readonly JsonObject[] | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const strike = async (chosen: readonly JsonObject[], reason: string): Promise<void> => {
    ask(null);
    const failures: Failure[] = [];
    let done = 0;
    for (const lap of chosen) {
      setProgress({ of: chosen.length, done, failures: [...failures] });
      try {
        await judge(client, lap, false, reason);
        onStruck(textOf(lap['id']));
      } catch (error) {
        failures.push({ lap, why: messageOf(error) });
      }
      done += 1;
    }
    setProgress({ of: chosen.length, done, failures });
    onDone();
  };
  const isRunning = progress !== null && progress.done < progress.of;
  return (
    <div class="strike-many">
      <Button
        label={t(say.strikeChosen, { count: laps.length })}
        kind="danger"
        disabled={laps.length === 0 || isRunning}
        onClick={() => ask(laps)}
      />
      {progress !== null && <Outcome progress={progress} />}
      {asked !== null && (
        <Dialog title={t(say.strikeChosen, { count: asked.length })} onClose={() => ask(null)}>
          <Reasons onReason={(reason) => strike(asked, reason)} onCancel={() => ask(null)} />
        </Dialog>
      )}
    </div>
  );
}

function Outcome({ progress: { of, done, failures } }: { readonly progress: Progress }) {
  const isRunning = done < of;
  const text = isRunning
    ? t(say.striking, { done, of })
    : t(failures.length === 0 ? say.allStruck : say.someStruck, { done: of - failures.length, of });
  return (
    <div class="outcome">
      {isRunning && <progress max={of} value={done} aria-label={t(say.invalidate)} />}
      <p role="status" class={failures.length === 0 ? '' : 'bad'}>
        {text}
      </p>
      {failures.length > 0 && (
        <ul>
          {failures.map(({ lap, why }) => (
            <li key={textOf(lap['id'])}>
              <bdi>{lapName(lap)}</bdi>: {why}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
