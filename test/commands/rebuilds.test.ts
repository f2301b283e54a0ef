import { rebuildDecider } from '../../commands/rebuilds.ts';
import { given, happened } from '../support/kernel/given.ts';

const [FIRST, SECOND] = ['00000000-0000-7000-8000-0000000000f1', '00000000-0000-7000-8000-0000000000f2'] as const;

const request = (rebuildId: string) => ({ type: 'RequestRebuild', data: { rebuildId } }) as const;
const start = (rebuildId: string, generation: string) =>
  ({ type: 'StartRebuild', data: { rebuildId, generation } }) as const;
const end = (rebuildId: string, error: string | null = null) =>
  ({ type: 'EndRebuild', data: { rebuildId, error } }) as const;

const requested = happened('RebuildRequested', { rebuildId: FIRST });
const started = happened('RebuildStarted', { rebuildId: FIRST, generation: 'two' });
const ended = happened('RebuildEnded', { rebuildId: FIRST, error: null });

describe('rebuild', () => {
  it('is asked for, once until it has ended', () => {
    given(rebuildDecider).when(request(FIRST)).then(requested);
    given(rebuildDecider, requested).when(request(SECOND)).thenNothing();
    given(rebuildDecider, requested, started).when(request(SECOND)).thenNothing();
    given(rebuildDecider, requested, started, ended)
      .when(request(SECOND))
      .then(happened('RebuildRequested', { rebuildId: SECOND }));
  });

  it('starts, and starts anew where the generation that it made is of no use', () => {
    given(rebuildDecider, requested).when(start(FIRST, 'two')).then(started);
    given(rebuildDecider, requested, started)
      .when(start(FIRST, 'three'))
      .then(happened('RebuildStarted', { rebuildId: FIRST, generation: 'three' }));
  });

  it('ends, be it by a failure, whether it has started or not', () => {
    given(rebuildDecider, requested, started).when(end(FIRST)).then(ended);
    given(rebuildDecider, requested)
      .when(end(FIRST, 'no room'))
      .then(happened('RebuildEnded', { rebuildId: FIRST, error: 'no room' }));
  });

  it('is not touched by one that was not asked for, or has ended', () => {
    given(rebuildDecider).when(start(FIRST, 'two')).thenNothing();
    given(rebuildDecider).when(end(FIRST)).thenNothing();
    given(rebuildDecider, requested, started, ended).when(start(FIRST, 'three')).thenNothing();
    given(rebuildDecider, requested, started, ended).when(end(FIRST, 'late')).thenNothing();
    given(rebuildDecider, requested, started).when(end(SECOND)).thenNothing();
    given(rebuildDecider, requested).when(start(SECOND, 'two')).thenNothing();
  });
});
