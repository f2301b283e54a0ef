import { base } from '../../shared/base.ts';
import { objectsOf, textOf } from '../../shared/json.ts';
import { publicAddress, t } from '../../shared/page.ts';
import { QrImage } from '../../shared/qr-image.tsx';
import desk from '../../texts/desk.json' with { type: 'json' };
import { useJson } from '../parts/answers.tsx';
import { Copied } from '../parts/dialog.tsx';

const DOWNLOADS = '/downloads';
const FOR_WINDOWS = 'timing-bridge.exe';
const FOR_NODE = 'bridge.mjs';

/** How a rig is paired by a code: by the programs that the service has, or, where it has none, by the whole project. */
export function RigPrograms({ code }: { readonly code: string }) {
  const { data } = useJson(DOWNLOADS);
  if (data === undefined) return null;
  const names = objectsOf(data).map(({ name }) => textOf(name));
  const address = publicAddress('');
  const words = `--pair ${code} --server ${address}`;
  if (names.includes(FOR_WINDOWS)) {
    return (
      <>
        <p>
          {t(desk.getProgram)} <code>{address}</code>
        </p>
        <Program name={FOR_WINDOWS} label={t(desk.programForWindows)} />
        <p class="hint">{t(desk.windowsWarns)}</p>
        <Line code={code} line={`${FOR_WINDOWS} ${words}`} />
        {names.includes(FOR_NODE) && (
          <details>
            <summary>{t(desk.rigHasNode)}</summary>
            <Program name={FOR_NODE} label={t(desk.fileForNode)} />
            <Copied text={`node ${FOR_NODE} ${words}`} label={t(desk.lineForNode)} />
          </details>
        )}
      </>
    );
  }
  if (names.includes(FOR_NODE)) {
    return (
      <>
        <p>{t(desk.noProgramForWindows)}</p>
        <Program name={FOR_NODE} label={t(desk.fileForNode)} />
        <Line code={code} line={`node ${FOR_NODE} ${words}`} />
      </>
    );
  }
  return (
    <>
      <p>{t(desk.noProgram)}</p>
      <Line code={code} line={`npm run bridge -- ${words}`} />
    </>
  );
}

/** A program: its address, to be opened at the rig, and a link for who sits there. */
function Program({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <>
      <Copied text={publicAddress(`${DOWNLOADS}/${name}`)} label={label} />
      <a href={`${base}${DOWNLOADS}/${name}`} download={name}>
        {t(desk.download, { name })}
      </a>
    </>
  );
}

function Line({ code, line }: { readonly code: string; readonly line: string }) {
  return (
    <>
      <QrImage text={line} label={t(desk.codeAsPicture, { code })} />
      <Copied text={line} label={t(desk.lineForRig)} />
    </>
  );
}
