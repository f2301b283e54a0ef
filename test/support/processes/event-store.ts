import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const extension = extname(import.meta.url);
const MAIN = fileURLToPath(new URL(`../eventstore-double/main${extension}`, import.meta.url));

/** Faults that the double carries out itself; see its `Faults`. */
type Fault = 'kill' | 'restart' | 'silence' | 'speak' | 'dropSubscriptions' | 'loseAnswers' | 'reset';

/** URL of a double on this port. */
export function eventStoreUrl(port: number): string {
  return `esdb://127.0.0.1:${port}?tls=false`;
}

/** The EventStoreDB double in a separate process, which can be frozen. */
export class EventStoreProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  private constructor(url: string, child: ChildProcess, answers: AsyncIterator<string>) {
    this.url = url;
    this.#child = child;
    this.#answers = answers;
  }

  /** Starts it, by default on a free port, and waits until it listens. */
  static async start(port = 0, ...more: readonly string[]): Promise<EventStoreProcess> {
    const child = spawn(process.execPath, [...process.execArgv, MAIN, '--port', String(port), ...more], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const said: unknown = JSON.parse(await next(answers));
    return new EventStoreProcess(String(Reflect.get(Object(said), 'url')), child, answers);
  }

  async fault(fault: Fault, value?: number): Promise<void> {
    this.#child.stdin?.write(`${JSON.stringify({ fault, ...(value === undefined ? {} : { value }) })}\n`);
    const answer = await next(this.#answers);
    if (answer !== JSON.stringify({ done: fault })) throw new Error(`${fault}: ${answer}`);
  }

  /** Stops the process until `thaw`: connections stay and new ones are accepted, but it answers nothing. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  /** Ends it; its data is lost. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

async function next(answers: AsyncIterator<string>): Promise<string> {
  const answer = await answers.next();
  if (answer.done === true) throw new Error('the event store has ended');
  return answer.value;
}
