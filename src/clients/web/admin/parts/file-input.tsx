import { useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { isList, textOf } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import type { Field } from '../api/fields.ts';
import { useSession } from '../session.ts';
import { Dialog } from './dialog.tsx';
import type { InputProps } from './input-props.ts';
import { Picture } from './picture.tsx';
import { Upload } from './upload.tsx';

/** The CDN key of a file: typed, or that of an upload; with the file's picture. */
export function FileInput({ field, draft, onChange, id, describedBy, fault }: InputProps) {
  const key = String(draft);
  return (
    <div class="file-input">
      <input
        id={id}
        class="field"
        autocomplete="off"
        aria-invalid={fault !== ''}
        aria-describedby={describedBy}
        value={key}
        onInput={({ currentTarget: { value } }) => onChange(value)}
      />
      <FileUploader field={field} onDone={onChange} />
      <Picture of={key} />
    </div>
  );
}

interface FileUploaderProps {
  readonly field: Field;
  /** Called with the key of an uploaded file. */
  readonly onDone: (key: string) => void;
}

/** A button that uploads a file for a field, in the folder that the field's example is in. */
export function FileUploader({ field, onDone }: FileUploaderProps) {
  const [uploading, setUploading] = useState(false);
  const { may, model } = useSession();
  if (!may(model.operation('POST', '/api/v1/cdn'))) return null;
  const example = isList(field.example) ? field.example[0] : field.example;
  const title = t(say.uploadFor, { field: field.label });
  const close = (): void => setUploading(false);
  return (
    <>
      <Button onClick={() => setUploading(true)}>{title}</Button>
      {uploading && (
        <Dialog title={title} onClose={close}>
          <Upload
            folder={textOf(example).split('/')[0] ?? ''}
            onDone={(key) => {
              onDone(key);
              close();
            }}
            onCancel={close}
          />
        </Dialog>
      )}
    </>
  );
}
