import { useCallback, useRef, useState } from 'preact/hooks';
import { numberOf, objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { locale, showInstant, t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Loading, useLoaded } from '../parts/answers.tsx';
import { CopyButton } from '../parts/dialog.tsx';
import { Filters } from '../parts/filters.tsx';
import { Pager } from '../parts/pager.tsx';
import { Upload } from '../parts/upload.tsx';
import { Picture } from '../parts/value.tsx';
import { addressOf, go, Link } from '../router.tsx';
import { useSession } from '../session.ts';

const PATH = '/api/v1/cdn';

/** How many files a page shows, and how often, in ms, they are read: colleagues upload some, too. */
const SHOWN = { size: 24, everyMs: 10_000 };

/** The stored files with their pictures, those that were uploaded last first, and a form that uploads one. */
export function UploadsPage({ query }: { readonly query: URLSearchParams }) {
  const { mayCall } = useSession();
  const [uploads, setUploads] = useState(0);
  return (
    <section>
      <h1>{t(say.uploads)}</h1>
      <p class="quiet">{t(say.uploadsMeaning)}</p>
      {mayCall('POST', PATH) && <Upload key={uploads} folder="" onDone={() => setUploads((before) => before + 1)} />}
      <Files query={query} uploads={uploads} />
    </section>
  );
}

interface FilesProps {
  readonly query: URLSearchParams;
  /** How many files were uploaded here: after each, the list is read again. */
  readonly uploads: number;
}

function Files({ query, uploads }: FilesProps) {
  const { client, resource } = useSession();
  const files = resource('File');
  const filters = files?.filters ?? [];
  const kept = Object.fromEntries([...query].filter(([name]) => filters.some((filter) => filter.name === name)));
  const number = Number(query.get('page') ?? 0);
  const asked = new URLSearchParams({
    ...kept,
    page: String(number),
    size: String(SHOWN.size),
    sort: 'updatedAt,desc',
  }).toString();
  const read = useCallback(
    async (signal: AbortSignal) => objectOf((await client.get(`${PATH}/paged?${asked}`, signal)).json),
    [client, asked, uploads],
  );
  const loaded = useLoaded(read, SHOWN.everyMs);
  const page = loaded.data;
  const show = (changes: Readonly<Record<string, string>>): void =>
    go(addressOf('/uploads', { ...kept, page: '0', ...changes }));
  const content = objectsOf(page?.['content']);
  return (
    <section class="stored">
      <h2>{t(say.storedFiles)}</h2>
      <Filters filters={filters} query={query} onChange={show} />
      <Loading of={loaded} />
      {page !== undefined && content.length === 0 && <p class="empty">{t(say.empty)}</p>}
      <ul class="files">
        {content.map((file) => (
          <StoredFile key={textOf(file['id'])} file={file} />
        ))}
      </ul>
      {page !== undefined && (
        <Pager
          total={numberOf(page['totalElements']) ?? 0}
          pages={numberOf(page['totalPages']) ?? 0}
          number={number}
          onPage={(index) => show({ page: String(index) })}
        />
      )}
    </section>
  );
}

function StoredFile({ file }: { readonly file: JsonObject }) {
  const name = useRef<HTMLSpanElement>(null);
  const key = textOf(file['key']);
  const updatedAt = textOf(file['updatedAt']);
  return (
    <li>
      <Picture of={key} version={updatedAt} />
      <Link to={addressOf(`/cdn/${textOf(file['id'])}`)}>
        <span ref={name}>{key}</span>
      </Link>
      <p class="quiet">
        {sizeText(numberOf(file['size']) ?? 0)} · <time dateTime={updatedAt}>{showInstant(updatedAt)}</time>
      </p>
      <CopyButton text={key} label={t(say.copyFileKey)} of={name} />
    </li>
  );
}

const megabytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
const kilobytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });

/** A number of bytes in larger units: `48 kB`. */
function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? kilobytes.format(Math.max(1, bytes / 1_000)) : megabytes.format(bytes / 1_000_000);
}
