import { LiveStream, type StreamListener, type StreamOptions, type StreamPorts } from './stream.ts';

/** Most ms that the service can ask a page to wait. */
const MOST_WAIT_MS = 60_000;

const ports: StreamPorts = {
  connect(url, names, handlers) {
    const source = new EventSource(url);
    source.addEventListener('open', handlers.opened);
    source.addEventListener('error', () => handlers.failed(source.readyState === EventSource.CLOSED));
    for (const name of names) {
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) =>
        handlers.message(name, data, lastEventId),
      );
    }
    return source;
  },
  async whyRefused(url) {
    try {
      const { status, headers } = await fetch(url, { method: 'HEAD' });
      const seconds = Number(headers.get('retry-after') ?? 0);
      const retryAfterMs = Number.isFinite(seconds) ? Math.min(seconds * 1_000, MOST_WAIT_MS) : 0;
      return status < 400 ? null : { status, retryAfterMs };
    } catch {
      // Nobody answers, which is no reason to stop trying.
      return null;
    }
  },
  now: () => Date.now(),
  random: () => Math.random(),
  later(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Follows a stream in the browser; what the page or the machine slept through comes as soon as it is awake.
 * @returns what ends it
 */
export function followLive(options: StreamOptions, listener: StreamListener): () => void {
  const stream = new LiveStream(options, listener, ports);
  const wake = (): void => {
    if (document.visibilityState === 'visible') stream.wake();
  };
  document.addEventListener('visibilitychange', wake);
  addEventListener('pageshow', wake);
  addEventListener('online', wake);
  return () => {
    document.removeEventListener('visibilitychange', wake);
    removeEventListener('pageshow', wake);
    removeEventListener('online', wake);
    stream.close();
  };
}
