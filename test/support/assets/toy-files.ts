import { fileKeyOf } from '../../../src/domain/file-path.ts';
import type { CdnFiles } from '../../../src/service/api/cdn.ts';
import { mediaTypeOf } from '../../../src/service/api/files.ts';
import type { Assets } from '../../../src/kernel/ports/assets.ts';

/** CdnFiles without events, for tests of the way to them: their bytes are under their own keys. */
export function toyFiles(assets: Pick<Assets, 'get' | 'put'>, more: Partial<CdnFiles> = {}): CdnFiles {
  return {
    reserve: () => Promise.resolve(() => undefined),
    async store({ body: { type, targetName: name } }, file) {
      const key = fileKeyOf({ type, name });
      await assets.put({ ...file, key, contentType: mediaTypeOf(name) });
      return { id: key, isReadable: true };
    },
    assetKeyOf: (path) => Promise.resolve(fileKeyOf(path)),
    find: (path) => assets.get(fileKeyOf(path)),
    ...more,
  };
}
