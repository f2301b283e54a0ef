import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { Client, expectStatus, type Answer, type Sending } from '../api/client.ts';
import { until } from './waits.ts';
import { ADMIN_TOKEN } from './world.ts';

/** Clients retry after a tenth of `Retry-After`, so that more requests meet a fault. */
const MS_PER_TOLD_SECOND = 100;

/** Statistics of the answers that clients received. */
export class Answers {
  /** Longest wait for an answer, in ms. */
  slowestMs = 0;
  /** Requests that got no answer. */
  lost = 0;
  /** Number of answers by status, without health checks. */
  readonly #byStatus = new Map<number, number>();
  /** Refusals without Retry-After. */
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
 * Records each answer, and waits after a 503 for its `Retry-After`. `create`, `change`, `read` and `list` repeat a request until it
 * is carried out.
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
    // A licence has one participant; a repeated create answers 200 with it.
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

/** True if an answer is final. */
function isGiven({ status }: Answer): boolean {
  return status !== 202 && status !== 503;
}

function retryAfter({ headers }: Answer): number {
  return Number(headers.get('Retry-After') ?? 0);
}
