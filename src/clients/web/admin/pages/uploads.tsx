import { useState } from 'preact/hooks';
import { fileAddress } from '../../shared/api.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Copied } from '../parts/dialog.tsx';
import { Picture } from '../parts/value.tsx';
import { Upload } from '../parts/upload.tsx';

export function UploadsPage() {
  const [keys, setKeys] = useState<readonly string[]>([]);
  return (
    <section>
      <h1>{t(say.uploads)}</h1>
      <p class="quiet">{t(say.uploadsMeaning)}</p>
      <Upload
        key={keys.length}
        folder=""
        onDone={(key) => setKeys((before) => [key, ...before.filter((other) => other !== key)])}
      />
      {keys.length > 0 && <h2>{t(say.uploaded)}</h2>}
      <ul class="uploaded">
        {keys.map((key) => (
          <li key={key}>
            <Copied text={key} label={t(say.fileKey)} />
            <a href={fileAddress(key)}>{key}</a>
            <Picture of={key} version={String(keys.length)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
