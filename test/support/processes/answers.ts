import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
import { Client, expectStatus, type Answer, type Sending } from '../api/client.ts';
import { until } from './waits.ts';
import { ADMIN_TOKEN } from './world.ts';

/** A refused client tries again after a tenth of the time that it was told: more requests meet the same fault. */
const MS_PER_TOLD_SECOND = 100;

/** What clients were answered, and after how long. */
export class Answers {
  /** Longest wait for an answer, in ms. */
  slowestMs = 0;
  /** Requests that got no answer. */
  lost = 0;
  /** How often each status came, but for what those ask who watch a process. */
  readonly #byStatus = new Map<number, number>();
  /** Refusals that did not say when to try again. */
  readonly rude: string[] = [];

  take(path: string, answer: Answer, ms: number): void {
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (path.startsWith('/actuator/')) return;
    this.#byStatus.set(answer.status, this.count(answer.status) + 1);
    if ((answer.status === 503 || answer.status === 202) && retryAfter(answer) <= 0) this.rude.push(answer.text);
  }

  count(status: number): number {
    return this.#byStatus.get(status) ?? 0;
  }
}

/**
 * Notes each answer, and waits after a 503 as it is told. Whoever wants the thing itself gets it in the end: it is
 * asked for again while it is put off.
 */
export class PatientClient extends Client {
  readonly #url: string;
  readonly #answers: Answers;

  constructor(url: string, answers: Answers, token: string | null = ADMIN_TOKEN) {
    super(url, () => undefined, token);
    this.#url = url;
    this.#answers = answers;
  }

  override as(token: string | null): Client {
    return new PatientClient(this.#url, this.#answers, token);
  }

  override async send(method: string, path: string, sending?: Sending): Promise<Answer> {
    const started = performance.now();
    try {
      const answer = await super.send(method, path, sending);
      this.#answers.take(path, answer, performance.now() - started);
      if (answer.status === 503) await pause(retryAfter(answer) * MS_PER_TOLD_SECOND);
      return answer;
    } catch (error) {
      this.#answers.lost += 1;
      throw error;
    }
  }

  override async create(path: string, body: Json): Promise<JsonObject> {
    const headers = { 'Idempotency-Key': randomUUID() };
    const answer = await until(() => this.post(path, body, headers), isGiven);
    // A licence has one participant: who asks for it again is shown the one that is there.
    return answer.status === 200 ? answer.body : expectStatus(answer, 201).body;
  }

  override async change(path: string, body: Json): Promise<JsonObject> {
    return expectStatus(await until(() => this.patch(path, body), isGiven), 200).body;
  }

  override async read(path: string): Promise<JsonObject> {
    return expectStatus(await until(() => this.get(path), isGiven), 200).body;
  }

  override async list(path: string): Promise<readonly JsonObject[]> {
    return expectStatus(await until(() => this.get(path), isGiven), 200).list;
  }
}

/** Whether an answer puts nothing off. */
function isGiven({ status }: Answer): boolean {
  return status !== 202 && status !== 503;
}

function retryAfter({ headers }: Answer): number {
  return Number(headers.get('Retry-After') ?? 0);
}
