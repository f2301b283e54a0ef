/** How far, in ms, a clock may be from the `Date` of an answer, which is without its fraction and some time old. */
const TOLERANCE = { behind: 1_000, ahead: 2_000 };
const HALF_A_SECOND = 500;

/** The service's time, epoch ms: from the `Date` of its answers, counted by a clock that never jumps. */
export class ServiceClock {
  #offset = Date.now() - performance.now();

  now(): number {
    return performance.now() + this.#offset;
  }

  /** Learns from an answer to a request that changes something: no cache between has kept that. */
  learn({ method }: Pick<Request, 'method'>, { headers }: Pick<Response, 'headers'>): void {
    if (method === 'GET') return;
    const ahead = this.now() - Date.parse(headers.get('date') ?? '');
    if (ahead < -TOLERANCE.behind || ahead > TOLERANCE.ahead) this.#offset += HALF_A_SECOND - ahead;
  }

  /** A moment by the clock of the rig, as it would be by that of the service, ISO 8601; absent if that cannot be. */
  correct(moment: string): string | undefined {
    const corrected = Date.parse(moment) + this.now() - Date.now();
    return corrected >= EARLIEST && corrected <= this.now() ? new Date(corrected).toISOString() : undefined;
  }
}

/** The service takes no earlier moment. */
const EARLIEST = Date.UTC(2000, 0);
