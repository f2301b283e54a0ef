import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { NAME_FIELDS } from '../api/new-record.ts';
import { CreatingContext, type WantedRecord } from '../parts/creating.ts';
import { Dialog, TokenDialog, tokenIn } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { idIn, useCreate, useLicenseFiles, useNewRecordForm } from './create.tsx';

/** Lets everything within it add records in dialogs; one dialog may open another one above it. */
export function CreatingDialogs({ children }: { readonly children: ComponentChildren }) {
  const [open, setOpen] = useState<readonly WantedRecord[]>([]);
  const [made, setMade] = useState(0);
  const create = useCallback((wanted: WantedRecord) => setOpen((before) => [...before, wanted]), []);
  const creating = useMemo(() => ({ create, made }), [create, made]);
  const close = (wanted: WantedRecord): void => setOpen((before) => before.filter((other) => other !== wanted));
  return (
    <CreatingContext.Provider value={creating}>
      {children}
      {open.map((wanted, n) => (
        <CreateDialog
          key={n}
          wanted={wanted}
          onMade={(id) => {
            setMade((before) => before + 1);
            wanted.onCreated(id);
          }}
          onClose={() => close(wanted)}
        />
      ))}
    </CreatingContext.Provider>
  );
}

interface CreateDialogProps {
  readonly wanted: WantedRecord;
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
}

/** A short form of a new record, with the focus in its first field. A key that comes with it is shown before it closes. */
function CreateDialog({ wanted, onMade, onClose }: CreateDialogProps) {
  const { resource, typed } = wanted;
  const withLicenseFile = useLicenseFiles();
  const [token, setToken] = useState<string | null>(null);
  const { fields, asked, more, drafts, derive } = useNewRecordForm(resource);
  const create = useCreate({ resource, path: resource.path }, fields);
  const nameField = NAME_FIELDS.find((name) => fields.some((field) => field.name === name)) ?? textOf(asked[0]?.name);
  const submit = async (body: JsonObject): Promise<void> => {
    const created = await create(await withLicenseFile(body));
    onMade(idIn(created, resource));
    const issued = tokenIn(created);
    if (issued === null) onClose();
    else setToken(issued);
  };
  if (token !== null) return <TokenDialog token={token} onClose={onClose} />;
  return (
    <Dialog title={t(say.newOf, { of: resource.title })} onClose={onClose}>
      <Form
        fields={asked}
        more={more}
        drafts={{ ...drafts, [nameField]: typed }}
        derive={derive}
        submitLabel={t(say.create)}
        onSubmit={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
}
