import { listen } from './listen.ts';
import type { GameName } from './games/games.ts';
import { replayCapture, TICK_MS } from './replay-capture.ts';
import type { Source } from './run-bridge.ts';

/** A game that is heard. */
export interface HeardGame {
  readonly game: GameName;
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** Hears the port that the bridge has opened. */
  readonly onOpen: (port: number) => void;
  /** Hears what came, before it is read; `at`: when, in ms since the start. */
  readonly onPayload: (payload: Uint8Array, at: number) => void;
}

/** The source of a game that is heard, until the signal aborts. */
export function liveSource(heard: HeardGame): Source {
  return {
    capture: null,
    startedAt: null,
    speed: 1,
    async hear(signal, onPayload, onTick) {
      let offset: number | null = null;
      const timer = setInterval(() => {
        if (offset !== null) onTick(Math.round(performance.now() - offset));
      }, TICK_MS);
      try {
        await listen({
          ...heard,
          signal,
          onPayload: (payload, at) => {
            offset ??= performance.now() - at;
            heard.onPayload(payload, at);
            onPayload(payload, at);
          },
        });
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** The source of a capture that is played; `startedAt`: when it was begun, epoch ms; null: it is driven now. */
export function captureSource(path: string, speed: number, startedAt: number | null): Source {
  return {
    capture: path,
    startedAt,
    speed,
    hear: (signal, onPayload, onTick) => replayCapture({ path, speed, signal, onPayload, onTick }),
  };
}
