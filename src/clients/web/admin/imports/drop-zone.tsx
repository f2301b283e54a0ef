import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { Problem } from '../parts/answers.tsx';
import { filesDropped, filesOfInput } from './given-files.ts';
import type { GivenFile } from './messages.ts';

interface DropZoneProps {
  readonly isBusy: boolean;
  readonly onFiles: (files: readonly GivenFile[]) => void;
}

/** Where files and folders are dropped, or chosen. */
export function DropZone({ isBusy, onFiles }: DropZoneProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  useLayoutEffect(() => {
    // As an attribute, the types of Preact do not know it.
    if (folder.current !== null) folder.current.webkitdirectory = true;
  }, []);
  const take = (given: readonly GivenFile[]): void => {
    if (given.length > 0 && !isBusy) onFiles(given);
  };
  const takeInput = (input: HTMLInputElement): void => {
    take(filesOfInput(input.files));
    // The same files may be chosen once more.
    input.value = '';
  };
  return (
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        setFailure(null);
        if (event.dataTransfer !== null) filesDropped(event.dataTransfer).then(take).catch(setFailure);
      }}
    >
      <p>{t(say.drop)}</p>
      <div class="actions">
        <Button label={t(say.chooseFiles)} kind="primary" disabled={isBusy} onClick={() => files.current?.click()} />
        <Button label={t(say.chooseFolder)} disabled={isBusy} onClick={() => folder.current?.click()} />
      </div>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t(say.chooseFiles)}
        onChange={({ currentTarget }) => takeInput(currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={t(say.chooseFolder)}
        onChange={({ currentTarget }) => takeInput(currentTarget)}
      />
      <Problem error={failure} />
    </div>
  );
}
