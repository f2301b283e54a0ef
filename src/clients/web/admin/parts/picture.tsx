import { useState } from 'preact/hooks';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';

/** The address of the file with a CDN key. */
export function fileAddress(key: string): string {
  return `/cdn/${key.split('/').map(encodeURIComponent).join('/')}`;
}

const IMAGE = /^[A-Z]+\/.+\.(avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i;

interface PictureProps {
  /** CDN key. */
  readonly of: string;
  /** Another text where a file was replaced under its key: the picture is read again. */
  readonly version?: string;
}

/** The picture with a CDN key; nothing where the key is of no picture, and a word where there is no file yet. */
export function Picture({ of, version = '' }: PictureProps) {
  const [missing, setMissing] = useState('');
  if (!IMAGE.test(of)) return null;
  if (missing === `${of} ${version}`) return <p class="hint">{t(say.noFileYet)}</p>;
  return (
    <img
      class="preview"
      src={`${fileAddress(of)}${version === '' ? '' : `?${version}`}`}
      alt={t(say.fileAs, { key: of })}
      onError={() => setMissing(`${of} ${version}`)}
    />
  );
}
