import { linesOf, type BridgeStatus } from './bridge-status.ts';

/** An output, such as a terminal. */
interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** How often, in ms, the view is drawn anew. */
const DRAW_MS = 500;
const CLEAR = '\u001B[H\u001B[2J';

/** What a terminal shows: the status, drawn in place, or, where it is none, each line as it is said. */
export class TerminalView {
  readonly #out: Output;
  #timer: NodeJS.Timeout | null = null;

  constructor(out: Output) {
    this.#out = out;
  }

  get #isDrawn(): boolean {
    return this.#out.isTTY === true;
  }

  /** A line is said; a view that is drawn shows it with the next drawing. */
  say(line: string): void {
    if (!this.#isDrawn) this.#out.write(`${plainText(line)}\n`);
  }

  /** Draws a status from now on, until `close`. */
  draw(status: BridgeStatus): void {
    if (!this.#isDrawn) return;
    this.#timer = setInterval(() => {
      const view = status.view();
      const lines = [...linesOf(view), '', ...view.last, '', 'Ctrl-C ends the bridge.'];
      this.#out.write(`${CLEAR}${lines.map(plainText).join('\n')}\n`);
    }, DRAW_MS);
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}

/** Text without control characters, which a game may have in names. */
function plainText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
