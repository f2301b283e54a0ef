import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button, Select, TextInput } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Refused, type Client } from '../api/client.ts';
import { choiceText } from '../api/words.ts';
import { useSession } from '../session.ts';
import { Problem, useAction } from './answers.tsx';
import { Picture } from './value.tsx';
import { Cancel } from './dialog.tsx';

interface UploadProps {
  /** The folder that is selected at first. */
  readonly folder: string;
  readonly onDone: (key: string) => void;
  readonly onCancel?: () => void;
}

interface ChosenFile {
  readonly type: string;
  readonly name: string;
  readonly file: File | null;
}

/** Uploads a file; returns its key. */
async function sendFile(client: Client, { type, name, file }: ChosenFile): Promise<string> {
  if (file === null || name === '') throw new Error(t(say.chooseFile));
  const body = new FormData();
  body.set('cdnRequest', JSON.stringify({ type, targetName: name }));
  body.set('cdnFile', file);
  await client.send('POST', '/api/v1/cdn', { body }).catch((error: unknown) => {
    // The answer does not say why.
    throw error instanceof Refused && error.status === 400 ? new Error(t(say.uploadFailed)) : error;
  });
  return `${type}/${name}`;
}

/** Uploads a file under a name; first shows it beside the current file of that name. */
export function Upload({ folder, onDone, onCancel }: UploadProps) {
  const { model, client } = useSession();
  const folders = model.field('CdnRequest', 'type')?.choices ?? [];
  const [type, setType] = useState(folders.includes(folder) ? folder : (folders[0] ?? ''));
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const { busy, failure, run } = useAction();
  const upload = (): void => run(async () => onDone(await sendFile(client, { type, name, file })));
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    if (chosen !== null) setName((before) => (before === '' || before === file?.name ? chosen.name : before));
  };
  return (
    <div
      class="upload"
      onKeyDown={(event) => {
        // In a form, Enter would send the form.
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        upload();
      }}
    >
      <Problem error={failure} />
      <label>
        {t(say.file)}
        <input type="file" class="field" onChange={({ currentTarget }) => choose(currentTarget.files?.[0] ?? null)} />
      </label>
      <label>
        {t(say.folder)}
        <Select value={type} options={folders.map((one) => [one, choiceText(one)])} onChange={setType} />
      </label>
      <label>
        {t(say.fileName)}
        <TextInput value={name} onText={setName} />
      </label>
      <Compared file={file} kept={name === '' ? '' : `${type}/${name}`} />
      <div class="actions">
        <Button label={t(say.upload)} kind="primary" disabled={busy} onClick={upload} />
        {onCancel !== undefined && <Cancel onCancel={onCancel} />}
      </div>
    </div>
  );
}

function Compared({ file, kept }: { readonly file: File | null; readonly kept: string }) {
  const content = useMemo(() => (file === null ? '' : URL.createObjectURL(file)), [file]);
  useEffect(() => () => URL.revokeObjectURL(content), [content]);
  return (
    <div class="compared">
      <figure>
        <figcaption>{t(say.newFile)}</figcaption>
        {file?.type.startsWith('image/') !== true ? (
          <p class="hint">{file === null ? t(say.noneChosen) : t(say.noPicture)}</p>
        ) : (
          <img class="preview" src={content} alt={t(say.fileAs, { key: file.name })} />
        )}
      </figure>
      <figure>
        <figcaption>{t(say.presentFile)}</figcaption>
        {kept === '' ? <p class="hint">{t(say.noneChosen)}</p> : <Picture of={kept} />}
      </figure>
    </div>
  );
}
