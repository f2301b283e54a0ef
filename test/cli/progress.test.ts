import { expect } from 'chai';
import { formatDuration, formatCount, createProgress, type Progress } from '../../src/tools/cli/progress.ts';
import { until } from '../support/processes/waits.ts';

describe('progress of a command', () => {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);

  beforeEach(() => {
    written.length = 0;
  });

  /** Reports progress until something is drawn. */
  async function drawn({ show }: Progress, advance: Parameters<Progress['show']>[0]): Promise<void> {
    await until(
      () => {
        show(advance);
        return written.length;
      },
      (lines) => lines > 0,
    );
  }

  async function shown(isTTY: boolean): Promise<string> {
    const progress = createProgress({ write, isTTY }, 'Copying');
    await drawn(progress, { done: 12_345, total: 24_690, share: 0.5 });
    progress.end('done');
    return written.join('');
  }

  it('draws a bar in place with count, rate and time left, and clears it at the end', async () => {
    const bar = `${'█'.repeat(15)}${'░'.repeat(15)}`;
    const line = `Copying {16}${bar} 12,345/24,690  [\\d,]+/s  \\d:\\d\\d to go`;
    expect(await shown(true)).to.match(new RegExp(`^\\r\\x1b\\[K${line}\\r\\x1b\\[KCopying {16}done\\n$`));
  });

  it('writes a plain line at intervals when there is no terminal', async () => {
    const line = 'Copying {16} 50 %  12,345/24,690  [\\d,]+/s  \\d:\\d\\d to go\n';
    expect(await shown(false)).to.match(new RegExp(`^${line}Copying {16}done\\n$`));
  });

  it('leaves a bar where it stopped, and writes nothing if there was none', async () => {
    const progress = createProgress({ write, isTTY: true }, 'Copying');
    progress.abandon();
    expect(written).to.deep.equal([]);
    await drawn(progress, { done: 1, share: 0 });
    progress.abandon();
    expect(written.at(-1)).to.equal('\n');
    expect(written.join('')).to.match(/ 1 {2}[\d,]+\/s\n$/);
  });

  it('writes numbers and times in a form that people read easily', () => {
    expect([0, 999, 1_234.4, 1_234_567].map(formatCount)).to.deep.equal(['0', '999', '1,234', '1,234,567']);
    expect([0, 6.2, 59, 754, 3_723].map(formatDuration)).to.deep.equal(['0:00', '0:07', '0:59', '12:34', '1:02:03']);
  });
});
